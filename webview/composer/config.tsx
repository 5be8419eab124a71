/** The agent's options for this session, named as the agent names them. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ConfigOption } from '../../src/core/model/content';
import { useSelect, useView } from '../context';
import { memo } from '../memo';
import { oneLine, visible } from '../../src/text/characters/textSafety';
import { OptionSelect } from '../options/select';

/** Options that stand beside Send; more of them have a place of their own that scrolls: agents have a handful, and hundreds would leave no room for the conversation. */
const MOST_BESIDE = 20;

/** ms for which a choice is shown that the agent has not answered. */
const CONFIRM_WITHIN = 4000;

export function ConfigOptions() {
  const options = useSelect((state) => state.config);
  // Without an agent nobody would take the choice.
  const disabled = useSelect((state) => state.status !== 'ready');
  const all = options.map((option, index) => (
    // Nothing keeps an agent from giving two the same id.
    <Option key={`${index} ${option.configId}`} option={option} disabled={disabled} />
  ));
  return options.length > MOST_BESIDE ? <div class="options-many">{all}</div> : <>{all}</>;
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

/** The newest choice, until the agent confirms or refuses it, or does not answer in time. */
function useChosen<T extends string | boolean>(option: { readonly configId: string; readonly currentValue: T }): [T, (value: T) => void] {
  const { post } = useView();
  const [chosen, setChosen] = useState<T>();
  // The wait ends with the agent's answer, also where that is a refusal.
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
      title={option.description === undefined ? undefined : visible(option.description)}
      onClick={() => choose(!value)}
    >
      <span class="switch-track" aria-hidden="true" />
      <span class="option-value">{oneLine(option.name, 40)}</span>
    </button>
  );
}
