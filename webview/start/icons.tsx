/** The decorative icons of the starters. */
import type { ComponentChildren } from 'preact';
import { draw, PlusIcon, ToolIcon } from '../base/icons';
import type { Starter } from './starters';

const tool = (kind: string) =>
  function StarterIcon() {
    return <ToolIcon kind={kind} />;
  };

export const STARTER_ICONS: Readonly<Record<Starter['icon'], () => ComponentChildren>> = {
  tour: draw('tour', 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z', 'M6.6 5.4l4 2.6-4 2.6z'),
  explain: tool('read'),
  bug: draw(
    'bug',
    'M8 5.2a3 3 0 0 1 3 3v2.4a3 3 0 0 1-6 0V8.2a3 3 0 0 1 3-3z',
    'M6 5.4a2 2 0 0 1 4 0M8 5.4v8M2.4 9.4H5M11 9.4h2.6M3.2 5.4L5.2 7M12.8 5.4l-2 1.6M3.2 13.4l2-1.6M12.8 13.4l-2-1.6',
  ),
  test: draw('test', 'M6 1.8h4M6.8 1.8v4.4L3 12.6a1.1 1.1 0 0 0 1 1.6h8a1.1 1.1 0 0 0 1-1.6L9.2 6.2V1.8', 'M5 10h6'),
  changes: tool('edit'),
  new: PlusIcon,
  run: tool('execute'),
};
