/** The agent's options for this session, named as the agent names them. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { choosesEarly } from '../../src/core/model/select';
import type { ConfigOption } from '../../src/core/model/content';
import { useSelect, useView } from '../state/context';
import { memo } from '../base/memo';
import { oneLine, escapeMisleading } from '../../src/text/characters/textSafety';
import { OptionSelect } from '../options/select';

/**
 * Options shown beside Send. More options get their own scrolling area: agents usually have a handful, and hundreds would leave no room for the
 * conversation.
 */
const MAX_BESIDE = 20;

/** ms for which an unconfirmed choice is shown. */
const CONFIRM_WITHIN = 4000;

export function ConfigOptions() {
  const options = useSelect((state) => state.config);
  // Without an agent, no process would receive the choice. A new session can take it before it is open.
  const disabled = useSelect((state) => state.status !== 'ready' && !choosesEarly(state));
  const all = options.map((option, index) => (
    // An agent may give two options the same id.
    <Option key={`${index} ${option.configId}`} option={option} disabled={disabled} />
  ));
  return options.length > MAX_BESIDE ? <div class="options-many">{all}</div> : <>{all}</>;
}

const Option = memo(function Option({ option, disabled }: { option: ConfigOption; disabled: boolean }) {
  switch (option.type) {
    case 'select':
      return <Select option={option} disabled={disabled} />;
    case 'boolean':
      return <Switch option={option} disabled={disabled} />;
    default:
      return (
        <span class="option option-unknown" title={oneLine(option.name)}>
          {oneLine(option.name, 40)}
        </span>
      );
  }
});

/** The newest choice, until the agent confirms or refuses it or the time limit passes. */
function useChosen<T extends string | boolean>(option: { readonly configId: string; readonly currentValue: T }): [T, (value: T) => void] {
  const { post } = useView();
  const [chosen, setChosen] = useState<T>();
  // The agent's answer ends the wait, even a refusal.
  const waits = useSelect((state) => state.pendingConfig?.options.some(({ configId }) => configId === option.configId) === true);
  useLayoutEffect(() => (waits ? undefined : setChosen(undefined)), [option, waits]);
  useEffect(() => {
    if (chosen === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => setChosen(undefined), CONFIRM_WITHIN);
    return () => clearTimeout(timer);
  }, [chosen]);
  const choose = (value: T) => {
    setChosen(() => value);
    post({ type: 'set_config', configId: option.configId, value });
  };
  return [chosen ?? option.currentValue, choose];
}

function Select({ option, disabled }: { option: ConfigOption & { type: 'select' }; disabled: boolean }) {
  const [value, choose] = useChosen<string>(option);
  return <OptionSelect option={option} disabled={disabled} value={value} choose={choose} />;
}

function Switch({ option, disabled }: { option: ConfigOption & { type: 'boolean' }; disabled: boolean }) {
  const [value, choose] = useChosen<boolean>(option);
  return (
    <button
      type="button"
      class="option option-switch"
      role="switch"
      aria-checked={value}
      aria-label={oneLine(option.name)}
      disabled={disabled}
      title={option.description === undefined ? undefined : escapeMisleading(option.description)}
      onClick={() => choose(!value)}
    >
      <span class="switch-track" aria-hidden="true" />
      <span class="option-value">{oneLine(option.name, 40)}</span>
    </button>
  );
}
