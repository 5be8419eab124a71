/** What an agent asks of the user beyond a permission. */
import type { ElicitationEntry } from '../../src/core/state';
import { visible } from '../markdown/bidi';

export function ElicitationView({ entry }: { entry: ElicitationEntry }) {
  return <div role="group">{visible(entry.message)}</div>;
}
