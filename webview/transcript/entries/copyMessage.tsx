/** The buttons of a message: copies its source text, after buttons that only some messages have. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { MessageEntry } from '../../../src/core/model/state';
import { messageMarkdown } from '../../../src/text/transcript/sections';
import { useView } from '../../state/context';
import { CheckIcon, CopyIcon } from '../../base/icons';
import { t } from '../../base/l10n';

export function CopyMessage({ entry, children }: { entry: MessageEntry; children?: ComponentChildren }) {
  const { post, say } = useView();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    post({ type: 'copy', text: messageMarkdown(entry) });
    setCopied(true);
    say(t('Copied'));
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="message-actions">
      <button type="button" class="icon-button" aria-label={t('Copy message')} title={t('Copy message')} onClick={copy}>
        {copied ? <CheckIcon /> : <CopyIcon />}
      </button>
      {children}
    </div>
  );
}
