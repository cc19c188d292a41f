import { Menu as Base } from "@base-ui/react/menu";
import type { Operation } from "@madang/client";
import type { ReactElement } from "react";
import { useForbidden } from "../session/current-session";
import { Icon } from "./texts/icon";

export interface MenuEntry {
  readonly label: string;
  readonly onSelect: () => void;
  readonly operation?: Operation;
  readonly isDanger?: boolean;
}

export function Menu({ trigger, entries }: { trigger: ReactElement; entries: readonly MenuEntry[] }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="positioner" align="end" sideOffset={4}>
          <Base.Popup className="popup">
            {entries.map((entry) => (
              <MenuItem key={entry.label} {...entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({ label, onSelect, operation, isDanger = false }: MenuEntry) {
  const reason = useForbidden(operation);
  return (
    <Base.Item
      className={isDanger ? "popup-item popup-item-danger" : "popup-item"}
      disabled={reason !== undefined}
      title={reason}
      onClick={onSelect}
    >
      {label}
      {reason !== undefined && <Icon name="lock" />}
    </Base.Item>
  );
}
