// Rules of ESLint that oxlint has not itself, or not with look-around in patterns; oxlint runs them over its own syntax tree.
import { builtinRules } from 'eslint/use-at-your-own-risk';

const names = ['no-restricted-imports', 'no-restricted-syntax'];

export default {
  meta: { name: 'eslint-js' },
  rules: Object.fromEntries(names.map((name) => [name, builtinRules.get(name)])),
};
