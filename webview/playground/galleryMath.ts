/** Formulas of every kind, one of them broken and one very wide. */
import type { EventInput } from '../../src/core/model/event';

const WIDE = Array.from({ length: 30 }, (_, index) => `\\frac{x^{${index + 1}}}{${index + 1}!}`).join(' + ');

const TEXT = String.raw`The greeting's length $n$ follows a Poisson law with mean \(\lambda = \frac{1}{N}\sum_{i=1}^{N} n_i\), so it costs $5 and not $10 a month:

$$
P(n = k) = \frac{\lambda^k e^{-\lambda}}{k!}, \qquad \int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}
$$

1. The loss, over the corpus $\mathcal{D}$ with weights $\boldsymbol{\theta} \in \mathbb{R}^d$:
   \[ \mathcal{L}(\boldsymbol{\theta}) = \mathbb{E}_{x \sim \mathcal{D}}\left[\log \frac{p_{\boldsymbol{\theta}}(x)}{q(x)}\right] + \overbrace{\alpha \lVert \boldsymbol{\theta} \rVert_2^2}^{\text{regular}} \]
2. A rotation by $\varphi$ is $\begin{pmatrix} \cos\varphi & -\sin\varphi \\ \sin\varphi & \cos\varphi \end{pmatrix}$, and

$$\begin{aligned} (a + b)^3 &= \sum_{k=0}^{3} \binom{3}{k} a^{3-k} b^k \\ &= a^3 + 3a^2 b + 3ab^2 + b^3 \end{aligned} \tag{1}$$

${'```'}math
|x| = \begin{cases} \phantom{-}x & \text{if } x \ge 0, \\ \color{#2e8b57}{-x} & \text{otherwise} \end{cases}
${'```'}

One that is very wide, and one with a mistake, $\frac{a}{b$:

$$ e^x = 1 + ${WIDE} + \cdots $$
`;

export function formulas(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 'formulas' },
    { type: 'message', role: 'user', messageId: 'formulas-asked', content: [{ type: 'text', text: 'How long will greetings be?' }] },
    { type: 'message', role: 'agent', messageId: 'formulas', content: [{ type: 'text', text: TEXT }] },
    { type: 'turn_ended', turnId: 'formulas', stopReason: 'end_turn' },
  ];
}
