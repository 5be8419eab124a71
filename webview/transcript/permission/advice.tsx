/** The host's advice on a waiting request: its reason, its risks, the marked parts of a command, and a menu of rules that would answer it. */
import type { Advice, AdviceSegment, RuleSuggestion } from '../../../src/core/advice/advice';
import type { PermissionEntry } from '../../../src/core/model/state';
import { commandPieces } from '../../../src/core/approval/commandPieces';
import { shortPath } from '../../../src/core/toolCalls/titles';
import { withCountedPadding } from '../../../src/text/characters/padding';
import { escapeInvisible, oneLine } from '../../../src/text/characters/textSafety';
import { riskText } from '../../../src/text/messages/risks';
import { whyText } from '../../../src/text/messages/whyAsked';
import { ruleOfferText } from '../../../src/text/messages/userRules';
import { useSelect } from '../../state/context';
import { MenuButton } from '../../components/menu';
import { WarningIcon } from '../../base/icons';
import { t } from '../../base/l10n';

export { Rest } from './rest';

/** The maximum number of UTF-16 units of a rule in the menu. A rule whose text is longer is not offered, because its effect could not be read. */
const MAX_OFFER = 400;

/** Why the host asks about an agent's own request. Nothing where the request says it already. */
export function Why({ request: { subject } }: { readonly request: PermissionEntry }) {
  const cwd = useSelect((state) => state.cwd);
  const why = subject.reason ? undefined : relative(subject.advice?.why, cwd);
  const words = why && whyText(why, t, (text) => oneLine(text, MAX_OFFER));
  return words === undefined ? null : <div class="advice-why">{words}</div>;
}

/** Returns the reason with its path as the card shows paths. */
function relative(why: Advice['why'], cwd: string): Advice['why'] {
  const path = why?.params?.['path'];
  return why && path !== undefined ? { ...why, params: { ...why.params, path: shortPath(path, cwd) } } : why;
}

export function Risks({ risks }: { readonly risks: readonly string[] }) {
  const words = risks.map((risk) => riskText(risk, t)).filter((each) => each !== undefined);
  return words.length === 0 ? null : (
    <div class="advice-risks">
      <WarningIcon />
      <span>{words.join(' · ')}</span>
    </div>
  );
}

interface RuleMenuProps {
  readonly permissionId: string;
  readonly suggestions: readonly RuleSuggestion[];
  /** Does nothing while the answers are too new to be read. */
  make(suggestionId: string): unknown;
}

export function RuleMenu({ permissionId, suggestions, make }: RuleMenuProps) {
  const items = suggestions
    .map(({ id, rule, scope }) => ({ label: oneLine(ruleOfferText(rule, scope, t), MAX_OFFER + 1), choose: () => make(id) }))
    .filter(({ label }) => label.length <= MAX_OFFER);
  return items.length === 0 ? null : (
    <MenuButton id={`rules-${permissionId}`} floating items={items}>
      <span class="menu-name">{t('Make a Rule')}</span>
    </MenuButton>
  );
}

/** A command line with its hidden characters and long gaps in sight, and a mark on each command that needs the answer. */
export function AskedCommand({ command, segments }: { readonly command: string; readonly segments: readonly AdviceSegment[] | undefined }) {
  return (
    <>
      {commandPieces(command, segments).map(({ text, asks }, index) =>
        asks ? (
          <mark key={index} class="asked-command">
            {visible(text)}
          </mark>
        ) : (
          visible(text)
        ),
      )}
    </>
  );
}

function visible(text: string): string {
  return withCountedPadding(escapeInvisible(text), {
    spaces: (count) => t('{count} spaces', { count }),
    lines: (count) => t('{count} line breaks', { count }),
  });
}
