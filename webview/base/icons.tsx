/** Our own small set of icons, drawn on a 16 px grid with one stroke. They are decoration, so they are hidden from assistive technology. */
import type { ComponentChildren } from 'preact';

function Icon({ children, name }: { children: ComponentChildren; name: string }) {
  return (
    <svg
      class={`icon icon-${name}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const draw = (name: string, ...paths: string[]) =>
  function DrawnIcon() {
    return (
      <Icon name={name}>
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </Icon>
    );
  };

export const CheckIcon = draw('check', 'M3.2 8.4l3.1 3.1 6.5-7');
export const CheckAllIcon = draw('check-all', 'M1.2 8.8l2.7 2.7 6-6.8M7.4 11.2l.3.3 6.9-7');
export const ShieldIcon = draw('shield', 'M8 1.8l5 1.8v4.2c0 3-2 5.3-5 6.4-3-1.1-5-3.4-5-6.4V3.6z');
export const ProhibitedIcon = draw('prohibited', 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z', 'M3.7 3.7l8.6 8.6');
export const AttachIcon = draw(
  'attach',
  'M12.8 7.2L7.7 12.3a2.9 2.9 0 0 1-4.1-4.1l5.5-5.5a1.9 1.9 0 0 1 2.7 2.7L6.5 10.7a.9.9 0 0 1-1.3-1.3l4.6-4.6',
);
export const EditIcon = draw('edit', 'M3 10.9l7.7-7.7 2.1 2.1L5.1 13H3z', 'M9.2 4.7l2.1 2.1');
export const CrossIcon = draw('cross', 'M4 4l8 8M12 4l-8 8');
export const CopyIcon = draw('copy', 'M5.5 5.5h7v8h-7z', 'M3.5 10.5v-8h7');
export const InsertIcon = draw('insert', 'M2.5 3.2h11M8.2 8h5.3M2.5 12.8h11', 'M2 8h3.6M4.1 6.3L5.8 8 4.1 9.7');
export const RunIcon = draw('run', 'M1.8 3h12.4v10H1.8z', 'M6.4 5.7v4.6L10.2 8z');
export const ApplyIcon = draw('apply', 'M8.6 14.2H3.5V1.8H9l3.5 3.5v2.4', 'M9 1.8v3.5h3.5', 'M8.4 11.2l1.9 1.9 3.7-4');
export const WrapIcon = draw('wrap', 'M2.5 4h11M2.5 8h8.6a2.3 2.3 0 1 1 0 4.6H8.4', 'M10 10.8l-1.8 1.8 1.8 1.8', 'M2.5 12.6h3');
export const ZoomIcon = draw('zoom', 'M6.8 2.2a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z', 'M10.2 10.2l3.6 3.6M6.8 4.8v4M4.8 6.8h4');
export const ChevronIcon = draw('chevron', 'M6 3.8L10.2 8 6 12.2');
export const ArrowDownIcon = draw('down', 'M8 3v9.5M4 8.7l4 4 4-4');
export const ArrowUpIcon = draw('up', 'M8 13V3.5M4 7.3l4-4 4 4');
export const SendNowIcon = draw('send-now', 'M2.2 3l11.6 5-11.6 5 1.7-5z', 'M3.9 8h4.4');
export const StarIcon = draw('star', 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4-2.9-2.8 4-.6z');
export const WarningIcon = draw('warning', 'M8 2.4L14.4 13.6H1.6z', 'M8 6.6v3.2M8 11.7v.1');
export const InfoIcon = draw('info', 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z', 'M8 7.3v3.6M8 5v.1');
export const QuestionIcon = draw('question', 'M8 1.8l5 1.9v4.1c0 3.2-2.1 5.3-5 6.4-2.9-1.1-5-3.2-5-6.4V3.7z', 'M8 5.2v3.4M8 10.6v.1');
export const FormIcon = draw('form', 'M2.5 2.2h11v11.6h-11z', 'M5 5.4h6M5 8.2h6M5 11h2.8');
export const GlobeIcon = draw(
  'globe',
  'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z',
  'M1.8 8h12.4M8 1.8c2 1.9 2.8 3.9 2.8 6.2S10 12.3 8 14.2C6 12.3 5.2 10.3 5.2 8S6 3.7 8 1.8z',
);
export const ListIcon = draw('list', 'M2.5 4l1 1 1.8-2M2.5 8.3l1 1 1.8-2M2.6 12.4h2', 'M7.8 4.2h6M7.8 8.4h6M7.8 12.4h6');
export const KeyIcon = draw('key', 'M6 7a3.4 3.4 0 1 1 0 6.8A3.4 3.4 0 0 1 6 7z', 'M8.4 8L13.8 2.6M11.4 5l2 2');
export const ShowTerminalIcon = draw(
  'show-terminal',
  'M13.5 8.6v4.9h-11V4.2h4.4',
  'M9.4 2.5h4.1v4.1M13.5 2.5L8.6 7.4',
  'M4.6 7.4l1.7 1.7-1.7 1.7',
);
export const FileIcon = draw('file', 'M4 1.8h5l3.5 3.5v9H4z', 'M9 1.8v3.5h3.5');
export const PlusIcon = draw('plus', 'M8 3v10M3 8h10');
export const HistoryIcon = draw('history', 'M2.6 6.2A5.8 5.8 0 1 1 2.2 8', 'M2.2 3.2v3.2h3.2M8 4.8V8l2.2 1.6');
export const UndoIcon = draw('undo', 'M5.2 3.2L2.4 6l2.8 2.8', 'M2.6 6h6.9a3.6 3.6 0 1 1 0 7.2H5.4');
export const RedoIcon = draw('redo', 'M10.8 3.2L13.6 6l-2.8 2.8', 'M13.4 6H6.5a3.6 3.6 0 1 0 0 7.2h4.1');
export const MoreIcon = draw('more', ...[3.4, 8, 12.6].map((x) => `M${x - 0.5} 8a.5.5 0 1 1 1 0 .5.5 0 1 1-1 0z`));
export const FolderIcon = draw('folder', 'M1.8 3.4h4.4l1.6 1.8h6.4v7.4H1.8z');
export const AgentIcon = draw('agent', 'M8 1.8c.6 3.4 2.8 5.6 6.2 6.2-3.4.6-5.6 2.8-6.2 6.2-.6-3.4-2.8-5.6-6.2-6.2C5.2 7.4 7.4 5.2 8 1.8z');

/** A filled icon, because users must find this button at once. */
export function StopIcon() {
  return (
    <Icon name="stop">
      <rect x="4.5" y="4.5" width="7" height="7" rx="1" fill="currentColor" stroke="none" />
    </Icon>
  );
}

/** A turning ring; still and dashed for users who prefer less motion. */
export function Spinner() {
  return (
    <Icon name="spinner">
      <circle cx="8" cy="8" r="5.4" opacity="0.25" />
      <path d="M8 2.6a5.4 5.4 0 0 1 5.4 5.4" />
    </Icon>
  );
}

const TOOL_ICONS: Readonly<Record<string, () => ComponentChildren>> = {
  read: draw('read', 'M4 1.8h5l3.5 3.5v9H4z', 'M9 1.8v3.5h3.5', 'M6 8.2h4.4M6 10.9h4.4'),
  edit: draw('edit', 'M2.4 13.6l.8-3.2 7.6-7.6a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2l-7.6 7.6z', 'M9.6 4l2.4 2.4'),
  delete: draw('delete', 'M2.8 4.2h10.4M6 4V2.4h4V4M4 4.4l.7 9.2h6.6l.7-9.2', 'M6.6 7v4M9.4 7v4'),
  move: draw('move', 'M2.4 8h10.4M9.3 4.5L12.8 8l-3.5 3.5'),
  search: draw('search', 'M7 2.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z', 'M10.4 10.4l3.4 3.4'),
  execute: draw('execute', 'M1.8 3h12.4v10H1.8z', 'M4.4 6l2 2-2 2M8.2 10.2h3'),
  think: draw('think', 'M5.8 11.2C4.3 10.2 3.5 8.9 3.5 7a4.5 4.5 0 0 1 9 0c0 1.9-.8 3.2-2.3 4.2v1H5.8z', 'M6.4 14.3h3.2'),
  fetch: draw(
    'fetch',
    'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z',
    'M1.8 8h12.4M8 1.8c2 1.9 2.8 3.9 2.8 6.2S10 12.3 8 14.2C6 12.3 5.2 10.3 5.2 8S6 3.7 8 1.8z',
  ),
  switch_mode: draw(
    'mode',
    'M2 5h6.6M12.2 5H14M2 11h1.8M7.4 11H14',
    'M10.4 3.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM5.6 9.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z',
  ),
};

const OtherToolIcon = draw(
  'tool',
  'M13.7 4.3l-2.3 2.3-1.9-.1-.1-1.9 2.3-2.3a3.7 3.7 0 0 0-4.7 4.7l-4.6 4.6a1.4 1.4 0 0 0 2 2L9 9a3.7 3.7 0 0 0 4.7-4.7z',
);

export function ToolIcon({ kind }: { kind: string }) {
  const Drawn = Object.hasOwn(TOOL_ICONS, kind) ? TOOL_ICONS[kind]! : OtherToolIcon;
  return <>{Drawn()}</>;
}

/** The icon of a status: a turning ring, a check, a cross or a dash. */
export function StatusIcon({ status }: { status: string }) {
  switch (status) {
    case 'completed':
      return <CheckIcon />;
    case 'failed':
      return <CrossIcon />;
    case 'in_progress':
      return <Spinner />;
    case 'cancelled':
      return <>{Dash()}</>;
    default:
      return <>{Circle()}</>;
  }
}

const Dash = draw('dash', 'M4 8h8');
const Circle = draw('circle', 'M8 3.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6z');
