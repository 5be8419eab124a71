/** The advice about a waiting request: its risks in one line, and a menu of rules that would answer it. */
import type { PermissionAdvice, Risk } from '../../../src/core/approval/advice';
import { piecesOf, type TextRange } from '../../../src/core/approval/advice';
import { withCountedPadding } from '../../../src/text/characters/padding';
import { escapeInvisible, oneLine } from '../../../src/text/characters/textSafety';
import { MenuButton } from '../../components/menu';
import { WarningIcon } from '../../base/icons';
import { t } from '../../base/l10n';

export function Risks({ risks }: Pick<PermissionAdvice, 'risks'>) {
  return risks.length === 0 ? null : (
    <div class="advice-risks">
      <WarningIcon />
      <span>{risks.map(riskText).join(' · ')}</span>
    </div>
  );
}

interface RuleMenuProps {
  readonly advice: PermissionAdvice;
  make(offerId: string): void;
}

export function RuleMenu({ advice: { permissionId, offers }, make }: RuleMenuProps) {
  return offers.length === 0 ? null : (
    <MenuButton
      id={`rules-${permissionId}`}
      floating
      items={offers.map(({ id, label, allows }, index) => ({
        label: oneLine(label, 300),
        first: index > 0 && allows !== offers[index - 1]!.allows,
        destructive: !allows,
        choose: () => make(id),
      }))}
    >
      <span class="menu-name">{t('Make a Rule')}</span>
    </MenuButton>
  );
}

/** A command line with its hidden characters and long gaps in sight, and a mark on each command that needs the answer. */
export function AskedCommand({ command, asking }: { readonly command: string; readonly asking: readonly TextRange[] }) {
  return (
    <>
      {piecesOf(command, asking).map(({ text, asks }, index) =>
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

function riskText(risk: Risk): string {
  switch (risk) {
    case 'outsideFolders':
      return t("Reaches outside the session's folders");
    case 'deletes':
      return t('Deletes');
    case 'network':
      return t('Uses the network');
    case 'installsPackages':
      return t('Installs packages');
    case 'protectedPaths':
      return t('Writes protected files');
    case 'administrator':
      return t('Runs as administrator');
  }
}
