import { chromium } from "playwright-core";
const [,, base, outPrefix, scheme, width, ...paths] = process.argv;
const browser = await chromium.launch({ executablePath: "/tmp/madang-chromium-0/chromium", args: ["--no-sandbox","--disable-gpu","--hide-scrollbars","--disable-background-networking"] });
const ctx = await browser.newContext({ viewport: { width: +width, height: +width < 500 ? 844 : 800 }, colorScheme: scheme, locale: process.env.LOC ?? "en-US", timezoneId: "Asia/Seoul" });
const page = await ctx.newPage();
page.on("console", m => m.text().includes("401") || console.log("console:", m.text()));
page.on("pageerror", e => console.log("error:", e.message));
await page.goto(base + "/console/");
await page.waitForTimeout(700);
if (await page.locator("input[name=key]").count()) { await page.screenshot({ path: `${outPrefix}-signin.png` }); await page.fill("input[name=actor]", "Jae Han"); await page.fill("input[name=key]", process.env.SIGNKEY ?? "mk"); await page.click("button[type=submit]"); await page.waitForTimeout(600); }
let n = 0;
for (const p of paths) { await page.goto(base + "/console" + p.split("!")[0]); await page.waitForTimeout(1200); for (const act of p.split("!").slice(1)) { const [k, v] = act.split("=>"); if (k === "click") await page.locator(v).first().click(); if (k==="hover") await page.locator(v).first().hover(); if (k === "key") await page.keyboard.press(v); if (k==="type") await page.keyboard.type(v); await page.waitForTimeout(500);} await page.screenshot({ path: `${outPrefix}-${n++}.png` }); }
await browser.close();
