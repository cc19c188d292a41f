import { Pressable, type PressableProps } from "react-native";
import { Path, Svg } from "react-native-svg";
import { type IconName, iconPaths } from "./icon-paths";
import { touch, useColors } from "./theme";

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly color?: string;
}

export function Icon({ name, size = 22, color }: IconProps) {
  const { text } = useColors();
  return (
    <Svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
      <Path
        d={iconPaths[name]}
        stroke={color ?? text}
        strokeWidth={1.75}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </Svg>
  );
}

interface RoundProps extends PressableProps {
  readonly icon: IconName;
  readonly label: string;
  readonly color?: string;
  readonly fill?: string | undefined;
}

/** A button without words. */
export const Round = ({ icon, label, color, fill, ...props }: RoundProps) => (
  <Pressable
    {...props}
    role="button"
    aria-label={label}
    style={({ pressed }) => ({
      width: touch,
      height: touch,
      borderRadius: touch / 2,
      alignItems: "center",
      justifyContent: "center",
      backgroundColor: fill,
      opacity: props.disabled ? 0.4 : pressed ? 0.6 : 1,
    })}
  >
    <Icon name={icon} {...(color !== undefined && { color })} />
  </Pressable>
);
