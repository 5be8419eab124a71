/** A block of code: its language, its actions and its lines. */
import { useState } from 'preact/hooks';
import { t } from '../../base/l10n';
import { memo } from '../../base/memo';
import { oneLine } from '../../../src/text/characters/textSafety';
import { isShell } from '../../../src/text/markdown/shellCommand';
import { CodeActions } from './actions';
import { CodeLines } from './lines';

/** @param language the whole text after the fence */
export const CodeBlock = memo(function CodeBlock({ text, language }: { text: string; language: string }) {
  const label = oneLine(language.split(/[\s{:]/, 1)[0] ?? '', 40);
  // One click can run a command, so all of it must be visible.
  const [wrapped, setWrapped] = useState(isShell(label));
  return (
    <div
      class={wrapped ? 'code code-wrapped' : 'code'}
      role="group"
      aria-label={label ? t('Code, {language}', { language: label }) : t('Code')}
      dir="ltr"
    >
      <div class="code-bar">
        <span class="code-language" title={language.trim() === label ? undefined : oneLine(language)}>
          {label}
        </span>
        <CodeActions text={text} info={language} language={label} wrapped={wrapped} onWrap={setWrapped} />
      </div>
      <pre class="code-text" tabIndex={0}>
        <code>
          <CodeLines text={text} label={label} />
        </code>
      </pre>
    </div>
  );
});
