import type { Grown } from "./growth";

const width = 720;
const height = 360;
const left = 60;
const right = 190;
const top = 24;
const bottom = 40;
const colours = ["#1f6feb", "#2da44e", "#bf8700", "#cf222e", "#8250df", "#57606a", "#0e7490"];

/** Cost against size, both logarithmic: what does not grow is a level line. */
export function drawGrowth(results: readonly Grown[]): string {
  const names = Object.keys(results[0]?.costMs ?? {});
  const costs = results.flatMap(({ costMs }) => Object.values(costMs));
  const x = scale(
    results.map(({ size }) => size),
    left,
    width - right,
  );
  const y = scale([Math.min(...costs) / 1.5, Math.max(...costs) * 1.5], height - bottom, top);
  const ticks = results.map(
    ({ size }) =>
      `<text x="${x(size)}" y="${height - 14}" text-anchor="middle">${size.toLocaleString("en-US")}</text>`,
  );
  const levels = [0.1, 0.2, 0.5, 1, 2, 5].filter((cost) => y(cost) > top && y(cost) < height - bottom);
  const lines = levels.map(
    (cost) =>
      `<line x1="${left}" x2="${width - right}" y1="${y(cost)}" y2="${y(cost)}" stroke="#d0d7de"/><text x="${left - 8}" y="${y(cost) + 4}" text-anchor="end">${cost} ms</text>`,
  );
  const curves = names.map((name, index) => {
    const colour = colours[index % colours.length];
    const points = results.map(({ size, costMs }) => [x(size), y(costMs[name] ?? Number.NaN)] as const);
    const path = points.map((point) => point.map((part) => part.toFixed(1)).join(",")).join(" ");
    const end = points.at(-1)?.[1] ?? 0;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${width - right + 10}" y="${end + 4}" fill="${colour}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#24292f"><title>Processor time a request against the number of users and messages</title><rect width="${width}" height="${height}" fill="#ffffff"/>${[...lines, ...ticks, ...curves].join("")}</svg>\n`;
}

/** Maps the logarithm of a value onto the way from one place to another. */
function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => from + ((Math.log(value) - low) / (high - low || 1)) * (to - from);
}
