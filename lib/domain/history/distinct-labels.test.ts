import { expect, test } from 'vitest'
import { distinctLabels } from './distinct-labels'

test('groups of one name are distinguished by their keys, others keep their names', () => {
  const [one, other] = ['b3acde73d72e46daad006749e53086cf', '7a90f423f6d14bf78ba0ad569cd8f77d']
  const labels = distinctLabels([
    { key: one, label: 'cfd-lab' },
    { key: 'p3', label: 'bio-ml' },
    { key: other, label: 'cfd-lab' },
    { key: 'nvidia-222', label: 'T4-1Q' },
    { key: 'nvidia-999', label: 'T4-1Q' },
  ])
  expect([...labels.values()]).toEqual([
    'cfd-lab (b3acde73…)',
    'bio-ml',
    'cfd-lab (7a90f423…)',
    'T4-1Q (nvidia-222)',
    'T4-1Q (nvidia-999)',
  ])
})
