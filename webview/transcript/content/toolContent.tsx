/** The content that a tool call produced, or that a permission request would produce: content blocks, diffs, terminals. */
import type { ToolContent } from '../../../src/core/model/content';
import { useDisclosure } from '../../state/context';
import { t } from '../../base/l10n';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { isForAgent } from '../../../src/core/model/audience';
import { BlockContent } from './content';
import { DiffView } from '../diff/diff';
import { Disclosure } from '../../components/disclosure';
import { Json } from './json';
import { isVerbatim, laidOut } from '../../../src/text/markdown/verbatim';
import { firstLines } from '../terminal/firstLines';
import { jsonText } from '../../base/jsonText';
import { TerminalView } from '../terminal/terminal';
import { outputLines } from '../terminal/screen';
import { OutputLines } from '../terminal/text';

/** Lines shown before the user expands the content. */
const SHORT = 200;

interface Props {
  readonly content: ToolContent;
  readonly index: number;
  readonly entryId: string;
  /** The kind of the tool that produced the content, when it is known. */
  readonly toolKind: string | undefined;
  /** The title above the content, which is not repeated in it. */
  readonly title?: string;
  /** The line of the file at which a partial diff begins, if the agent has sent it. */
  readonly line?: number | undefined;
  /** True for content that waits for the user's approval. */
  readonly isAsked?: boolean;
  /** The command that waits for the user's approval, and is shown above the content. */
  readonly askedCommand?: string | undefined;
}

export function ToolContentView({ content, index, entryId, toolKind, title, line, isAsked, askedCommand = '' }: Props) {
  const name = `${entryId}/content.${index}`;
  switch (content.type) {
    case 'content':
      if (content.content.type === 'text' && !isForAgent(content.content) && isVerbatim(toolKind, content.content.text)) {
        return <VerbatimText text={content.content.text} name={name} isFile={toolKind === 'read'} />;
      }
      return (
        <div class="tool-content">
          <BlockContent block={content.content} name={name} />
        </div>
      );
    case 'diff':
      return (
        <>
          {content.changes.map((change, changeIndex) => (
            <DiffView
              key={changeIndex}
              change={change}
              entryId={entryId}
              content={index}
              index={changeIndex}
              line={line}
              isAsked={isAsked}
            />
          ))}
          {content.patch !== undefined && (
            <PatchView
              patch={content.patch}
              name={name}
              open={content.changes.every((change) => (change.newText ?? change.oldText ?? undefined) === undefined)}
            />
          )}
        </>
      );
    case 'terminal':
      return <TerminalView terminalId={content.terminalId} title={title} askedCommand={isAsked ? askedCommand : undefined} />;
    case 'session':
      return null; // The subagent's card follows the tool call.
    default:
      return (
        <Disclosure name={name} label={t('Unknown content')}>
          {() => <pre class="content-text unsearched">{escapeMisleading(jsonText(content.raw))}</pre>}
        </Disclosure>
      );
  }
}

/** A program's output or a file, with the colours of a terminal. JSON has syntax colours and is formatted, but a JSON file is shown as it is. */
function VerbatimText({ text, name, isFile }: { text: string; name: string; isFile: boolean }) {
  const json = isFile ? undefined : laidOut(text);
  return json === undefined ? <Lines text={text} name={name} /> : <Json text={json} name={name} lines={SHORT} label={t('Output')} />;
}

function Lines({ text, name }: { text: string; name: string }) {
  const [all, setAll] = useDisclosure(`${name}/all`, false);
  const shown = all ? { text, cut: false } : firstLines(text, SHORT);
  const lines = outputLines(shown.text);
  while (lines.at(-1)?.length === 0) {
    lines.pop();
  }
  return (
    <>
      <pre class="content-text" tabIndex={0} role="group" aria-label={t('Output')} dir="ltr">
        <OutputLines lines={lines} />
      </pre>
      {shown.cut && <ShowAll text={text} show={() => setAll(true)} />}
    </>
  );
}

/** A patch as text, its lines coloured by their first character. */
function PatchView({ patch, name, open }: { patch: string; name: string; open: boolean }) {
  return (
    <Disclosure name={`${name}/patch`} label={t('Patch')} open={open}>
      {() => <PatchLines patch={patch} name={name} />}
    </Disclosure>
  );
}

function PatchLines({ patch, name }: { patch: string; name: string }) {
  const [all, setAll] = useDisclosure(`${name}/patch/all`, false);
  const { text, cut } = all ? { text: patch, cut: false } : firstLines(patch, SHORT);
  return (
    <>
      <pre class="diff-lines" tabIndex={0} role="group" aria-label={t('Patch')} dir="ltr">
        {text.split('\n').map((line, index) => (
          <div key={index} class={line.startsWith('+') ? 'diff-line add' : line.startsWith('-') ? 'diff-line del' : 'diff-line'}>
            {escapeMisleading(line) || ' '}
          </div>
        ))}
      </pre>
      {cut && <ShowAll text={patch} show={() => setAll(true)} />}
    </>
  );
}

function ShowAll({ text, show }: { text: string; show: () => void }) {
  return (
    <button type="button" class="text-button" onClick={show}>
      {t('Show all {count} lines', { count: text.split('\n').length })}
    </button>
  );
}
