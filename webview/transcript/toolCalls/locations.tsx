/** The places a tool call touches, as buttons that open the editor there. */
import type { Location } from '../../../src/core/model/content';
import { useSelect, useView } from '../../context';
import { FileIcon } from '../../icons';
import { visible } from '../../../src/text/characters/textSafety';
import { shortPath } from '../../words';

export function Locations({ locations }: { locations: readonly Location[] }) {
  if (locations.length === 0) {
    return null;
  }
  return (
    <div class="locations">
      {locations.map((location, index) => (
        <PathButton key={index} path={location.path} line={location.line} />
      ))}
    </div>
  );
}

export function PathButton({ path, line }: { path: string; line?: number | undefined }) {
  const { post } = useView();
  const cwd = useSelect((state) => state.cwd);
  const label = shortPath(path, cwd) + (line === undefined ? '' : `:${line}`);
  return (
    <button
      type="button"
      class="chip"
      title={visible(path)}
      onClick={() => post({ type: 'open_location', path, ...(line !== undefined && { line }) })}
    >
      <FileIcon />
      <bdi>{visible(label)}</bdi>
    </button>
  );
}
