// The page as a person uses it, opened from disk, against the command line.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { parse_csv } from "../tests/parse_csv";
import { axe_violations, visit } from "../tests/visit";
import { address, cavity, colon, drop, fit, folder, has_colon, refusal, saved, understood, write, zip } from "./cavity_page";

const column = (csv: string[][], name: string): string[] => csv.slice(1).map((row) => row[csv[0]!.indexOf(name)]!);

/** One in the last decimal of a number as it is printed, to which it was rounded. */
const last_decimal = (text: string): number => 10 ** -(text.split(".")[1]?.length ?? Infinity);

/** Columns of numbers that differ by no more than `most` anywhere, beside rounding; rows found by their first field. */
function assert_close(actual: string, expected: string, names: string[], most: number): void {
  const [a, e] = [parse_csv(actual), parse_csv(expected)];
  assert.equal(a.length, e.length);
  for (const name of names) {
    const known = new Map(column(e, e[0]![0]!).map((key, i) => [key, Number(column(e, name)[i])]));
    const values = column(a, name);
    column(a, a[0]![0]!).forEach((key, i) => {
      const difference = Math.abs(Number(values[i]) - known.get(key)!);
      assert.ok(difference <= most + last_decimal(values[i]!), `${name} of ${key} differs by ${difference}`);
    });
  }
}

test("the example: read, fitted, reported, saved, predicted, without a request", async () => {
  const { page, troubles } = await visit(address);
  await page.getByRole("button", { name: "Try the example" }).click();
  assert.match(await understood(page), /samples120features1,000orientationa row a samplelabellabelclasseshealthy \(58\), ill \(62\)/);
  assert.deepEqual(await axe_violations(page), []);
  await fit(page);
  assert.match((await page.textContent("#app-report"))!, /leave-one-out/);
  await page.waitForSelector("#app-predict table");
  assert.match((await page.textContent("#app-predict .headline"))!, /error 0\.\d+ \(\d+ of 200 samples\)/);
  assert.deepEqual(await axe_violations(page), []);
  const report = readFileSync(await saved(page, "example-report.html"), "utf8");
  assert.ok(report.startsWith("<!doctype html>") && report.includes('"command":"cavity fit example.csv"'));
  const { page: alone, troubles: theirs } = await visit(pathToFileURL(join(folder, "example-report.html")).href);
  assert.equal(await alone.textContent("h1"), await page.textContent("#app-report h1"));
  assert.deepEqual([...troubles, ...theirs], []);
});

test("colon, dropped: the numbers of the command line", { skip: !has_colon }, async () => {
  const { page, troubles } = await visit(address);
  await drop(page, colon);
  assert.match(await understood(page), /samples62features2,000/);
  await fit(page);
  cavity("fit", colon, "-q", "-o", "line.cavity", "--loo", "line-loo.csv");
  const [model, loo, features] = [
    await saved(page, "colon.cavity"),
    readFileSync(await saved(page, "colon-loo.csv"), "utf8"),
    readFileSync(await saved(page, "colon-features.csv"), "utf8"),
  ];
  assert_close(loo, readFileSync(join(folder, "line-loo.csv"), "utf8"), ["probability"], 1e-6);
  assert_close(features, cavity("features", "line.cavity"), ["inclusion", "weight", "sd"], 1e-6);
  assert_close(cavity("predict", model, colon), cavity("predict", "line.cavity", colon), ["probability"], 1e-6);
  assert.deepEqual(troubles, []);
});

test("a model saved before and new samples: the predictions of the command line", async () => {
  const made = ["--features", "300", "--teacher", "0.02", "--seed", "3"];
  const [table, more] = [write("old.csv", ""), write("new.csv", "")];
  cavity("simulate", "--samples", "60", ...made, "-o", table);
  cavity("simulate", "--samples", "40", "--skip", "60", ...made, "-o", more);
  cavity("fit", table, "-q", "-o", "old.cavity");
  const { page, troubles } = await visit(address);
  await drop(page, join(folder, "old.cavity"), more);
  await page.waitForSelector("#app-predict table");
  const predictions = readFileSync(await saved(page, "new-predictions.csv"), "utf8");
  assert_close(predictions, cavity("predict", "old.cavity", more), ["probability"], 1e-9);
  assert.deepEqual(troubles, []);
});

test("three classes: fitted, reported and predicted like two", async () => {
  const noise = (i: number, j: number): number => ((i * 7919 + j * 104729 + i * j * 31) % 1000) / 500 - 1;
  const row = (i: number): string =>
    [["low", "middle", "high"][i % 3], ...Array.from({ length: 40 }, (_, j) => noise(i, j) + (j === i % 3 ? 2 : 0))].join();
  const header = ["label", ...Array.from({ length: 40 }, (_, j) => `g${j}`)].join();
  const lines = (from: number, to: number): string =>
    `${[header, ...Array.from({ length: to - from }, (_, i) => row(from + i))].join("\n")}\n`;
  const [table, more] = [write("three.csv", lines(0, 60)), write("three-more.csv", lines(60, 90))];
  cavity("fit", table, "-q", "-o", "three-line.cavity");
  const { page, troubles } = await visit(address);
  await drop(page, table);
  assert.match(await understood(page), /classeshigh \(20\), low \(20\), middle \(20\)/);
  await fit(page);
  assert.equal(await page.locator("#app-report [data-question]").count(), 4);
  assert.equal(await page.locator("#app-report .confusion tbody tr").count(), 3);
  const model = await saved(page, "three.cavity");
  await drop(page, model, more);
  await page.waitForSelector("#app-predict table");
  assert.match(await page.locator("#app-predict thead").innerText(), /sample.*label.*truth.*high.*low.*middle/s);
  const predictions = readFileSync(await saved(page, "three-more-predictions.csv"), "utf8");
  assert_close(predictions, cavity("predict", "three-line.cavity", more), ["p_high", "p_low", "p_middle"], 1e-6);
  assert.deepEqual(await axe_violations(page), []);
  assert.deepEqual(troubles, []);
});

test("a wrong file gets the sentence of the command line", async () => {
  const { page, troubles } = await visit(address);
  const packed = gzipSync(`label,a\n${"x,1\ny,2\n".repeat(500)}`);
  const wrong: [string, string | Uint8Array][] = [
    ["sheet.xlsx", "PK\u0003\u0004 and so on"],
    ["ragged.csv", "label,a,b\nx,1,2\ny,3\n"],
    ["nolabel.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n"],
    ["broken.csv.gz", Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2])],
    ["cut.csv.gz", packed.subarray(0, -20)],
    ["without-end.csv.gz", packed.subarray(0, -3)],
    ["damaged.csv.gz", packed.map((byte, i) => (i === packed.length - 6 ? byte ^ 1 : byte))],
    ["other-length.csv.gz", packed.map((byte, i) => (i === packed.length - 1 ? byte ^ 1 : byte))],
    ["method.csv.gz", packed.map((byte, i) => (i === 2 ? 7 : byte))],
    ["more.csv.gz", Buffer.concat([packed, Buffer.from("more")])],
    ["empty.csv", ""],
  ];
  for (const [name, content] of wrong) {
    await drop(page, write(name, content));
    const alert = page.locator("#app-understood [role=alert]", { hasText: name });
    await alert.waitFor();
    assert.equal(await alert.textContent(), refusal("fit", name));
    assert.ok(await page.getByRole("button", { name: "Fit", exact: true }).isDisabled());
  }
  assert.deepEqual(troubles, []);
});

test("gzip in several members with all that a header can hold", async () => {
  const [head, ...lines] = Array.from({ length: 40 }, (_, i) => (i === 0 ? "label,a,b\n" : `${i % 2},${i / 2},${i * i}\n`));
  const [first, second] = [gzipSync(head!), gzipSync(lines.join(""))];
  const extra = Buffer.from([3, 0, 1, 2, 3]);
  const named = Buffer.concat([first.subarray(0, 10), extra, Buffer.from("name\0comment\0"), first.subarray(10)]);
  named[3] = 4 + 8 + 16;
  const { page, troubles } = await visit(address);
  await drop(page, write("members.csv.gz", Buffer.concat([named, second, Buffer.alloc(64)])));
  assert.match(await understood(page), /samples39features2/);
  assert.deepEqual(troubles, []);
});

test("too large for a page is said before the fit, a table on its side is found", async () => {
  const { page, troubles } = await visit(address);
  await drop(page, write("wide.svm", "1 1:1 3:2\n-1 2:1 2500000:1\n1 1:2\n-1 2:3\n"));
  await page.getByText(/needs about 5(\.\d)? GB of memory, and a page can have/).waitFor();
  assert.ok(await page.getByRole("button", { name: "Fit", exact: true }).isDisabled());
  const genes = Array.from({ length: 30 }, (_, i) => `g${i},${[1, 2, 3, 4].map((k) => (i * k) % 7).join(",")}`);
  await drop(page, write("genes.csv", `,s1,s2,s3,s4\nlabel,a,b,a,b\n${genes.join("\n")}\n`));
  await page.getByText("a row a feature", { exact: true }).waitFor();
  assert.match(await understood(page), /samples4features30/);
  assert.deepEqual(troubles, []);
});

test("what was understood can be changed: label column, orientation", async () => {
  const rows = Array.from({ length: 24 }, (_, i) => `s${i},${i % 2 ? "ill" : "well"},${i},${(i * 7) % 5}`);
  const { page, troubles } = await visit(address);
  await drop(page, write("named.csv", `,state,a,b\n${rows.join("\n")}\n`));
  await page.getByLabel("Label column").fill("state");
  await page.getByLabel("Label column").blur();
  assert.match(await understood(page), /labelstateclassesill \(12\), well \(12\)/);
  await page.getByLabel("Orientation").selectOption("features");
  await page.waitForSelector("#app-understood [role=alert]");
  assert.deepEqual(troubles, []);
});

test("a workbook and a folder of 10x Genomics: the numbers of the plain CSV", async () => {
  const rows = Array.from({ length: 24 }, (_, i) => [`s${i}`, i % 2 ? "ill" : "well", `${(i * 5) % 7}.25`, `${(i * 3) % 11}`]);
  const table = [["id", "label", "a", "b"], ...rows];
  const cell = (text: string): string => (/^[\d.]+$/.test(text) ? `<c><v>${text}</v></c>` : `<c t="str"><v>${text}</v></c>`);
  const xml = table.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
  const workbook = zip({
    "xl/workbook.xml": '<workbook><sheets><sheet name="About"/><sheet name="Data"/></sheets></workbook>',
    "xl/worksheets/sheet1.xml": '<worksheet><sheetData><row><c t="str"><v>nothing</v></c></row></sheetData></worksheet>',
    "xl/worksheets/sheet2.xml": `<worksheet><sheetData>${xml}</sheetData></worksheet>`,
  });
  const plain = write("plain.csv", `${table.map((row) => row.join(",")).join("\n")}\n`);
  cavity("fit", plain, "-q", "-o", "plain.cavity", "--loo", "plain-loo.csv");
  const expected = readFileSync(join(folder, "plain-loo.csv"), "utf8");
  const { page, troubles } = await visit(address);
  await drop(page, write("book.xlsx", workbook));
  await page.getByLabel("Sheet of a workbook").fill("Data");
  await page.getByLabel("Sheet of a workbook").blur();
  assert.match(await understood(page), /samples24features2/);
  await fit(page);
  assert_close(readFileSync(await saved(page, "book-loo.csv"), "utf8"), expected, ["probability"], 1e-6);
  const entries = rows.flatMap(([, , a, b], i) => [`1 ${i + 1} ${a}`, `2 ${i + 1} ${b}`]);
  await drop(
    page,
    write("matrix.mtx", `%%MatrixMarket matrix coordinate real general\n2 24 48\n${entries.join("\n")}\n`),
    write("features.tsv", "E1\ta\nE2\tb\n"),
    write("barcodes.tsv", rows.map((row) => `${row[0]}\n`).join("")),
    write("sheet.tsv", ["id\tlabel", ...rows.map((row) => `${row[0]}\t${row[1]}`)].join("\n")),
  );
  assert.match(await understood(page), /samples24features2/);
  await fit(page);
  assert_close(readFileSync(await saved(page, "matrix-loo.csv"), "utf8"), expected, ["probability"], 1e-6);
  assert.deepEqual(troubles, []);
});

test("numbers of patients in order of class are left out, and said", async () => {
  const rows = Array.from({ length: 24 }, (_, i) => `${1000 + 7 * i},${i < 12 ? "ill" : "well"},${(i * 5) % 7}.25,${(i * 3) % 11}`);
  const { page, troubles } = await visit(address);
  await drop(page, write("ordered.csv", `patient,label,a,b\n${rows.join("\n")}\n`));
  assert.match(await understood(page), /samples24features2/);
  assert.match((await page.textContent("#app-understood"))!, /left out: 'patient'/);
  assert.deepEqual(troubles, []);
});

test("a fit of 200 samples x 10,000 features can be cancelled, asked for again, and ends", async () => {
  const table = write("large.csv", "");
  cavity("simulate", "--samples", "200", "--features", "10000", "--teacher", "0.001", "-o", table);
  const { page, troubles } = await visit(address);
  await drop(page, table);
  assert.match(await understood(page), /samples200features10,000/);
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await page.getByText(/^Cell \d+ of \d+/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Cancelled.").waitFor();
  assert.equal(await page.locator("#app-report").count(), 0);
  await fit(page);
  assert.deepEqual(troubles, []);
});

test("no connection is allowed, to the page or to its worker", async () => {
  const { page } = await visit(address);
  const refused = await page.evaluate(async () => {
    const forbidden = new Promise((resolve) =>
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective)),
    );
    const inside = "fetch('http://127.0.0.1:9/').then(() => postMessage('sent'), () => postMessage('refused'))";
    const worker = new Worker(URL.createObjectURL(new Blob([inside])));
    const from_worker = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    const from_page = await fetch("http://127.0.0.1:9/").then(
      () => "sent",
      () => "refused",
    );
    return { from_worker, from_page, forbidden: await forbidden };
  });
  assert.deepEqual(refused, { from_worker: "refused", from_page: "refused", forbidden: "connect-src" });
  const policy = await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content");
  assert.match(policy!, /default-src 'none'; connect-src 'none'/);
});

test("a phone has no sideways scrolling, and the keyboard reaches everything", async () => {
  const { page } = await visit(address, { viewport: { width: 390, height: 800 } });
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement!.getAttribute("aria-label")), "Choose files");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await understood(page);
  await page.getByRole("button", { name: "Fit", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("#app-report");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
});
