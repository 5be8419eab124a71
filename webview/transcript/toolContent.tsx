/** What a tool call produced, or a permission request would: content, diffs, terminals. */
import type { ToolContent } from '../../src/core/content';
import { useFold } from '../context';
import { t } from '../l10n';
import { visible } from '../markdown/bidi';
import { isForAgent } from './audience';
import { BlockContent } from './content';
import { DiffView } from './diff';
import { Fold } from './fold';
import { firstLines, isVerbatim } from './plainText';
import { jsonText } from './raw';
import { sgrLines } from './sgr';
import { OutputLines, TerminalView } from './terminal';

/** Lines shown before one asks for more. */
const SHORT = 200;

interface Props {
  readonly content: ToolContent;
  readonly index: number;
  readonly entryId: string;
  /** What kind of tool gave it, when that is known. */
  readonly toolKind: string | undefined;
}

export function ToolContentView({ content, index, entryId, toolKind }: Props) {
  const name = `${entryId}/content.${index}`;
  switch (content.type) {
    case 'content':
      if (content.content.type === 'text' && !isForAgent(content.content) && isVerbatim(toolKind, content.content.text)) return <VerbatimText text={content.content.text} name={name} />;
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

/** A program's output or a file, with the colours that a terminal would give it. */
function VerbatimText({ text, name }: { text: string; name: string }) {
  const [all, setAll] = useFold(`${name}/all`, false);
  const shown = all ? { text, cut: false } : firstLines(text, SHORT);
  const lines = sgrLines(shown.text);
  while (lines.at(-1)?.length === 0) lines.pop();
  return (
    <>
      <pre class="content-text" tabIndex={0} role="group" aria-label={t('Output')} dir="ltr">
        <OutputLines lines={lines} />
      </pre>
      {shown.cut && (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          {t('Show all {count} lines', { count: text.split('\n').length })}
        </button>
      )}
    </>
  );
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
