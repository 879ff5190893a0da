// What `cavity fit --report` does with the template; the reference for the C++ side.

const placeholder = "__CAVITY_REPORT_DATA__";

/** JSON that no HTML parser can leave: the five characters that could are written as escapes. */
export function escape_json(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The placeholder is looked for in the template only, so that data which contains it changes nothing. */
export function insert_report(template: string, report: unknown): string {
  const at = template.indexOf(placeholder);
  return template.slice(0, at) + escape_json(JSON.stringify(report)) + template.slice(at + placeholder.length);
}
