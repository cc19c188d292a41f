import type { ComponentProps } from "react";
import { usePermission } from "../session/current-session";
import { isMasterOnly, type UsedOperation } from "../session/permissions";
import { useTexts } from "../text/language";
import { Icon, type IconName } from "./icon";

interface ButtonProps extends ComponentProps<"button"> {
  readonly look?: "primary" | "danger" | "outline-danger" | "plain" | "quiet";
  readonly icon?: IconName;
  /** What the button leads to: it is disabled, and says why, when the key may not do it. */
  readonly operation?: UsedOperation;
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

/** Why the key may not call the operation. */
export function useForbidden(operation: UsedOperation | undefined): string | undefined {
  const t = useTexts();
  const can = usePermission();
  if (operation === undefined || can(operation)) return undefined;
  return isMasterOnly(operation) ? t.needsMasterKey : t.needsScope(operation);
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
