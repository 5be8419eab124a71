/** The row of buttons for a block of code. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSelect, useView } from '../../state/context';
import { isShell } from '../../../src/text/markdown/shellCommand';
import { ApplyIcon, CheckIcon, CopyIcon, InsertIcon, RunIcon, WrapIcon } from '../../base/icons';
import { t } from '../../base/l10n';

interface Props {
  readonly text: string;
  /** The text after the fence. */
  readonly info: string;
  /** The first word of `info`. */
  readonly language: string;
  readonly wrapped: boolean;
  /** Undefined when there are no lines to wrap. */
  readonly onWrap: ((wrapped: boolean) => void) | undefined;
}

/** UTF-16 units. Longer code can only be copied, because the host accepts no more. */
const MAX_CODE = 4 * 1024 * 1024;
const MAX_INFO = 1000;

export function CodeActions({ text, info, language, wrapped, onWrap }: Props) {
  const { post } = useView();
  const editor = useSelect((_state, mirror) => mirror.facts.editor);
  const tooLong = text.length > MAX_CODE ? t('The code is too long.') : undefined;
  return (
    <span class="code-actions">
      {onWrap && (
        <button
          type="button"
          class="icon-button"
          aria-pressed={wrapped}
          aria-label={t('Wrap lines')}
          title={t('Wrap lines')}
          onClick={() => onWrap(!wrapped)}
        >
          <WrapIcon />
        </button>
      )}
      {isShell(language) && (
        <Action name={t('Run in Terminal')} hint={t('Run in Terminal')} refusal={tooLong} onClick={() => post({ type: 'run_code', text })}>
          <RunIcon />
        </Action>
      )}
      <Action
        name={t('Insert at Cursor')}
        hint={editor === undefined ? '' : t('Insert at the cursor in {file}', { file: editor })}
        refusal={editor === undefined ? t('No text editor is open.') : tooLong}
        onClick={() => post({ type: 'insert_code', text })}
      >
        <InsertIcon />
      </Action>
      <Action
        name={t('Preview and Apply…')}
        hint={t('Preview and Apply…')}
        refusal={tooLong}
        onClick={() => post({ type: 'apply_code', text, info: info.slice(0, MAX_INFO) })}
      >
        <ApplyIcon />
      </Action>
      <CopyButton text={() => text} />
    </span>
  );
}

interface ActionProps {
  readonly name: string;
  readonly hint: string;
  /** The reason why the action is disabled. The button stays focusable, so that every user can learn the reason. */
  readonly refusal: string | undefined;
  readonly children: ComponentChildren;
  onClick(): void;
}

function Action({ name, hint, refusal, onClick, children }: ActionProps) {
  const { say } = useView();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      aria-disabled={refusal !== undefined}
      title={refusal ?? hint}
      onClick={() => (refusal === undefined ? onClick() : say(refusal))}
    >
      {children}
    </button>
  );
}

export function CopyButton({ text }: { text: () => string }) {
  const { post, say } = useView();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    post({ type: 'copy', text: text() });
    setCopied(true);
    say(t('Copied'));
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="icon-button copy" aria-label={t('Copy')} title={t('Copy')} onClick={copy}>
      {copied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
