import { Text, type TextProps, useColorScheme } from "react-native";

/** Everything that a brand changes: the colours in light and dark. */
const light = {
  accent: "#4050d0",
  accentText: "#4050d0",
  accentSoft: "#eceefb",
  onAccent: "#ffffff",
  onAccentQuiet: "#e3e5f8",
  background: "#ffffff",
  stage: "#f1f3f7",
  bubble: "#ffffff",
  line: "#e3e6ec",
  text: "#14171d",
  quiet: "#5a6170",
  danger: "#c4203b",
  dangerSoft: "#fdecef",
  online: "#1c9b5e",
  overlay: "#ffffff",
  veil: "rgba(10, 12, 18, 0.4)",
  onAccentQuote: "rgba(0, 0, 0, 0.16)",
  quote: "rgba(20, 23, 29, 0.06)",
  name: [0.48, 0.13] as readonly [lightness: number, chroma: number],
};

export type Colors = typeof light;

const dark: Colors = {
  ...light,
  accent: "#4a59d6",
  accentText: "#a3adff",
  accentSoft: "#232744",
  background: "#15171c",
  stage: "#0d0f13",
  bubble: "#23262e",
  line: "#2a2e37",
  text: "#eceef3",
  quiet: "#9ba2b1",
  danger: "#ff8296",
  dangerSoft: "#3a1f26",
  online: "#3ccb87",
  overlay: "#21252e",
  veil: "rgba(0, 0, 0, 0.6)",
  quote: "rgba(236, 238, 243, 0.08)",
  name: [0.8, 0.1],
};

export const useColors = (): Colors => (useColorScheme() === "dark" ? dark : light);

/** What a thumb hits. */
export const touch = 44;

interface LabelProps extends TextProps {
  readonly size?: number;
  readonly color?: string | undefined;
  readonly isBold?: boolean;
}

/** A text. It grows with the size of text that the phone is set to. */
export function Label({ size = 16, color, isBold, style, ...props }: LabelProps) {
  const colors = useColors();
  const own = { fontSize: size, color: color ?? colors.text, fontWeight: isBold ? "600" : "400" } as const;
  return <Text {...props} style={[own, style]} />;
}

/** The colour of a name. All have the same lightness, so that each can be read: `oklch()` of CSS, which a phone does not know. */
export const nameColor = ({ name: [lightness, chroma] }: Colors, hue: number): string =>
  oklch(lightness, chroma, hue);

export const faceColor = (hue: number): string => oklch(0.55, 0.11, hue);

function oklch(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((value) => {
    const linear = Math.min(1, Math.max(0, value));
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
  return `rgb(${channels.join(", ")})`;
}
