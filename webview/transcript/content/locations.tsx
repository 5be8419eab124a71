/** The locations of a tool call, as buttons that open the editor there. */
import type { Location } from '../../../src/core/model/content';
import { useSelect, useView } from '../../state/context';
import { isFolderPath } from '../../../src/core/toolCalls/shownLocations';
import { FileIcon, FolderIcon } from '../../base/icons';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { shortPath } from '../../base/strings';

export function Locations({ locations }: { locations: readonly Location[] }) {
  const cwd = useSelect((state) => state.cwd);
  const more = useSelect((state) => state.additionalDirectories);
  if (locations.length === 0) {
    return null;
  }
  return (
    <div class="locations">
      {locations.map((location, index) => (
        <PathButton
          key={index}
          path={location.path}
          line={location.line}
          isFolder={isFolderPath(location.path, [cwd, ...more], locations)}
        />
      ))}
    </div>
  );
}

interface PathProps {
  readonly path: string;
  readonly line?: number | undefined;
  readonly isFolder?: boolean;
}

export function PathButton({ path, line, isFolder = false }: PathProps) {
  const { post } = useView();
  const cwd = useSelect((state) => state.cwd);
  const label = shortPath(path, cwd) + (line === undefined ? '' : `:${line}`);
  return (
    <button
      type="button"
      class="chip"
      title={escapeMisleading(path)}
      onClick={() => post({ type: 'open_location', path, ...(line !== undefined && { line }) })}
    >
      {isFolder ? <FolderIcon /> : <FileIcon />}
      <bdi>{escapeMisleading(label)}</bdi>
    </button>
  );
}
