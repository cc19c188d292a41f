/** Line drawings of 16 by 16. */
const paths = {
  overview: "M2.5 13.5v-5M6.2 13.5v-8M9.8 13.5v-6M13.5 13.5v-11",
  users: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8ZM2.8 13.5c.5-2.3 2.6-3.6 5.2-3.6s4.7 1.3 5.2 3.6",
  channels: "M6.5 2.5l-1.6 11M11.1 2.5l-1.6 11M2.8 5.6h11M2.2 10.4h11",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.2 3.2",
  reports: "M4 14V2.5M4 3h8l-2 3 2 3H4",
  filters: "M2.5 3.5h11l-4.3 5v4.5l-2.4-1.3V8.5z",
  hooks: "M10.5 2v8.2a3.2 3.2 0 0 1-6.4 0V8l2.2 2.2",
  events: "M1.8 8h2.6l2-5 3.2 10 2-5h2.6",
  webhooks:
    "M6 4H3.5A1.5 1.5 0 0 0 2 5.5v7A1.5 1.5 0 0 0 3.5 14h7a1.5 1.5 0 0 0 1.5-1.5V10M9.5 2H14v4.5M14 2L7.5 8.5",
  keys: "M5.3 13.2a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM7.3 8.5l6-6M10.5 5.2l2 2",
  audit: "M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2.5",
  privacy: "M8 1.8l5 1.9v4c0 3.2-2.1 5.4-5 6.5-2.9-1.1-5-3.3-5-6.5v-4z",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  close: "M4 4l8 8M12 4l-8 8",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  chevron: "M5 6.5l3 3 3-3",
  check: "M3.5 8.5l3 3 6-7",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  pin: "M5.5 2.5h5l-.7 4.2 2.2 2.3H4l2.2-2.3zM8 9v4.5",
  snow: "M8 2v12M2.8 5l10.4 6M13.2 5L2.8 11",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  down: "M8 3v9.5M4 8.7l4 4 4-4",
  reply: "M6.5 4L3 7.5 6.5 11M3.2 7.5H10a3 3 0 0 1 3 3V12",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
