/** What a tool call produced, or a permission request would: content, diffs, terminals. */
import type { ToolContent } from '../../src/core/content';
import { t } from '../l10n';
import { visible } from '../markdown/bidi';
import { BlockContent } from './content';
import { DiffView } from './diff';
import { Fold } from './fold';
import { jsonText } from './raw';
import { TerminalView } from './terminal';

interface Props {
  readonly content: ToolContent;
  readonly index: number;
  readonly entryId: string;
}

export function ToolContentView({ content, index, entryId }: Props) {
  const name = `${entryId}/content.${index}`;
  switch (content.type) {
    case 'content':
      return (
        <div class="tool-content">
          <BlockContent block={content.content} name={name} />
        </div>
      );
    case 'diff':
      return (
        <>
          {content.changes.map((change, changeIndex) => (
            <DiffView key={changeIndex} change={change} entryId={entryId} content={index} index={changeIndex} />
          ))}
          {content.patch !== undefined && <PatchView patch={content.patch} name={name} open={content.changes.every((change) => (change.newText ?? change.oldText ?? undefined) === undefined)} />}
        </>
      );
    case 'terminal':
      return <TerminalView terminalId={content.terminalId} />;
    default:
      return (
        <Fold name={name} label={t('Content of an unknown kind')}>
          {() => <pre class="content-text">{visible(jsonText(content.raw))}</pre>}
        </Fold>
      );
  }
}

/** A patch as text, its lines coloured by their first character. */
function PatchView({ patch, name, open }: { patch: string; name: string; open: boolean }) {
  return (
    <Fold name={`${name}/patch`} label={t('Patch')} open={open}>
      {() => (
        <pre class="diff-lines" tabIndex={0} dir="ltr">
          {patch.split('\n').map((line, index) => (
            <div key={index} class={line.startsWith('+') ? 'diff-line add' : line.startsWith('-') ? 'diff-line del' : 'diff-line'}>
              {visible(line) || ' '}
            </div>
          ))}
        </pre>
      )}
    </Fold>
  );
}
