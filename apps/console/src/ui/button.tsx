import type { Operation } from "@madang/client";
import type { ComponentProps } from "react";
import { useForbidden } from "../session/current-session";
import { Icon, type IconName } from "./texts/icon";

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: "primary" | "danger" | "outline-danger" | "plain" | "quiet";
  readonly icon?: IconName;
  /** What the button leads to: it is disabled, and says why, when the key may not do it. */
  readonly operation?: Operation;
}

export function Button({ look = "plain", icon, operation, className = "", children, ...rest }: ButtonProps) {
  const reason = useForbidden(operation);
  return (
    <button
      type="button"
      {...rest}
      {...(reason !== undefined && { disabled: true, title: reason })}
      className={`button button-${look} ${className}`}
    >
      {reason !== undefined ? <Icon name="lock" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button of a single icon, whose label only screen readers and tooltips show. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ButtonProps, "look" | "children"> & { label: string; icon: IconName }) {
  return (
    <Button {...rest} look="quiet" icon={icon} aria-label={label} title={label} className="button-icon" />
  );
}
