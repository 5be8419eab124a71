/** The banner above the composer while the extension host does not answer, with its consequences and a way to reopen the session. */
import { useContext, useLayoutEffect } from 'preact/hooks';
import { type DraftBlock, isMention } from '../../src/core/mentions/mention';
import { useView } from '../state/context';
import type { Draft } from '../state/draft';
import { WarningIcon } from '../base/icons';
import { t } from '../base/l10n';
import { ConnectionContext } from './connection';

/** The most UTF-16 units of a draft that a link carries; a picture may be larger. */
const MAX_LINK = 512 * 1024;

export function Disconnected({ draft }: { draft: Draft }) {
  const { say } = useView();
  const connection = useContext(ConnectionContext);
  const heading = t('Extension host not responding');
  useLayoutEffect(() => {
    say(heading);
    const before = draft.text;
    // Messages that the host has not received return to the draft.
    const isLive = (block: DraftBlock): boolean => isMention(block) && draft.live.some(({ mention }) => mention.token === block.token);
    connection?.heartbeat.takeUnacknowledged().forEach(({ content }) => draft.restoreMessage(content.filter((block) => !isLive(block))));
    const given = draft.text;
    return () => {
      // The host was only busy and has received the message.
      if (given !== before && draft.text === given && !connection?.heartbeat.isLost) {
        draft.setText(before);
      }
    };
  }, []);
  return (
    <div class="banner banner-failure banner-unanswered" role="group" aria-label={heading}>
      <div class="failure">
        <div class="failure-body">
          <div class="failure-words">
            <WarningIcon />
            <div>
              <div class="failure-heading">{heading}</div>
              {t('If it was restarted, reopen this chat to continue. The conversation and your draft are kept.')}
            </div>
          </div>
        </div>
        <div class="options">
          {/* The only way that does not need this page's host: VS Code itself runs the command. */}
          <a class="button" href="#" onClick={(event) => (event.currentTarget.href = reopenAddress(connection?.sessionKey(), draft))}>
            {t('Reopen Chat')}
          </a>
        </div>
      </div>
    </div>
  );
}

/** Returns a link to the only command that VS Code accepts from our pages: see `webviewOptions` in the host. */
function reopenAddress(sessionKey: string | undefined, draft: Draft): string {
  const whole = JSON.stringify([sessionKey, draft.unsent]);
  const args = whole.length <= MAX_LINK ? whole : JSON.stringify([sessionKey]);
  return `command:acpHost.openSession?${encodeURIComponent(args)}`;
}
