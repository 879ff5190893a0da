// Pictures for people to look at, two widths and two themes; arguments: FOLDER, then fixtures or FILE.html (default: all
// fixtures).
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fixture_page, launch } from "./browser";
import { kinds, type Kind } from "./make_fixture";

const folder = process.argv[2] ?? "dist/screenshots";
const wanted = process.argv.length > 3 ? process.argv.slice(3) : [...kinds];
const browser = await launch();
for (const name of wanted) {
  const file = name.endsWith(".html");
  const address = file ? pathToFileURL(resolve(name)).href : await fixture_page(name as Kind);
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, deviceScaleFactor: 1 });
      page.on("console", (message) => console.log(name, message.text()));
      page.on("pageerror", (error) => console.log(name, error));
      await page.goto(address);
      await page.waitForTimeout(300);
      await page.screenshot({
        path: `${folder}/${basename(name, ".html")}-${width}-${colorScheme}.png`,
        fullPage: true,
      });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) console.log(`${name} at ${width}: scrolls sideways to ${wide}`);
      await page.close();
    }
  }
}
await browser.close();
