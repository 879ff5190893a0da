// Pictures of the fixtures for people to look at, two widths and two themes; arguments: FOLDER KIND...
import { launch, fixture_page } from "./browser";
import { kinds } from "./make_fixture";

const folder = process.argv[2] ?? "dist/screenshots";
const wanted = process.argv.slice(3);
const browser = await launch();
for (const kind of kinds.filter((k) => wanted.length === 0 || wanted.includes(k))) {
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, deviceScaleFactor: 1 });
      page.on("console", (message) => console.log(kind, message.text()));
      page.on("pageerror", (error) => console.log(kind, error));
      await page.goto(await fixture_page(kind));
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}/${kind}-${width}-${colorScheme}.png`, fullPage: true });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) console.log(`${kind} at ${width}: scrolls sideways to ${wide}`);
      await page.close();
    }
  }
}
await browser.close();
