import { Select as Base } from "@base-ui/react/select";
import { Icon } from "../texts/icon";

interface SelectProps<Value extends string> {
  readonly label: string;
  /** Undefined: nothing is chosen yet, and the placeholder is shown. */
  readonly value: Value | undefined;
  readonly placeholder?: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, placeholder, options, onChange } = props;
  return (
    <Base.Root
      value={value ?? null}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
      items={options}
    >
      <Base.Trigger className="button button-plain select" aria-label={label}>
        <Base.Value className="select-value" placeholder={placeholder} />
        <Icon name="chevron" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="positioner" sideOffset={4} alignItemWithTrigger={false}>
          <Base.Popup className="popup">
            <Base.List className="popup-list">
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className="popup-item">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  <Base.ItemIndicator>
                    <Icon name="check" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
