import type { Growth } from "./growth";

const width = 720;
const height = 360;
const left = 60;
const right = 190;
const top = 24;
const bottom = 40;
const colours = ["#1f6feb", "#2da44e", "#bf8700", "#cf222e", "#8250df", "#57606a", "#0e7490"];

/** Cost against size, both logarithmic: a constant cost is a horizontal line. */
export function drawGrowth(results: readonly Growth[], sizes: readonly number[]): string {
  const costs = results.flatMap(({ costs }) => costs.map(({ median }) => median));
  const x = scale(sizes, left, width - right);
  const y = scale([Math.min(...costs) / 1.5, Math.max(...costs) * 1.5], height - bottom, top);
  const ticks = sizes.map(
    (size) =>
      `<text x="${x(size)}" y="${height - 14}" text-anchor="middle">${size.toLocaleString("en-US")}</text>`,
  );
  const levels = [0.1, 0.2, 0.5, 1, 2, 5].filter((cost) => y(cost) > top && y(cost) < height - bottom);
  const lines = levels.map(
    (cost) =>
      `<line x1="${left}" x2="${width - right}" y1="${y(cost)}" y2="${y(cost)}" stroke="#d0d7de"/><text x="${left - 8}" y="${y(cost) + 4}" text-anchor="end">${cost} ms</text>`,
  );
  const labels = spread(results.map(({ costs }) => y(costs.at(-1)?.median ?? Number.NaN)));
  const curves = results.map(({ title, costs }, index) => {
    const colour = colours[index % colours.length];
    const path = costs
      .map(({ median }, index) => `${x(sizes[index] ?? Number.NaN).toFixed(1)},${y(median).toFixed(1)}`)
      .join(" ");
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/><text x="${width - right + 10}" y="${((labels[index] ?? 0) + 4).toFixed(1)}" fill="${colour}">${title}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#24292f"><title>Processor time per request against the number of users and messages</title><rect width="${width}" height="${height}" fill="#ffffff"/>${[...lines, ...ticks, ...curves].join("")}</svg>\n`;
}

/** Moves labels apart that would overlap. */
function spread(heights: readonly number[]): number[] {
  const moved = [...heights];
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) last = moved[index] = Math.max(moved[index] ?? 0, last + 14);
  return moved;
}

/** Maps the logarithm of a value to a coordinate. */
function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => from + ((Math.log(value) - low) / (high - low || 1)) * (to - from);
}
