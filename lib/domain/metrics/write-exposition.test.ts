import { expect, test } from 'vitest'
import { allSteps } from '@/lib/util/all-steps'
import { type MetricFamily, writeExposition } from './write-exposition'

const written = (families: MetricFamily[]): string => allSteps(writeExposition(families))

test('families are written with help, type and one line for each sample', () => {
  expect(
    written([
      {
        name: 'sliceboard_pgpu_used_vgpus',
        help: 'vGPUs in use.',
        type: 'gauge',
        samples: [
          { labels: { cloud: 'paris-prod', host: 'cmp-1', pgpu: '0000:3b:00.0' }, value: 3 },
          { labels: {}, value: 1.5 },
        ],
      },
      { name: 'sliceboard_nothing', help: 'Never seen.', type: 'counter', samples: [] },
    ]),
  ).toBe(`# HELP sliceboard_pgpu_used_vgpus vGPUs in use.
# TYPE sliceboard_pgpu_used_vgpus gauge
sliceboard_pgpu_used_vgpus{cloud="paris-prod",host="cmp-1",pgpu="0000:3b:00.0"} 3
sliceboard_pgpu_used_vgpus 1.5
`)
})

test('quotes, backslashes and line ends in what a host reported stay within their label', () => {
  const text = written([
    {
      name: 'a',
      help: 'one\ntwo \\ "three"',
      type: 'gauge',
      samples: [{ labels: { type: 'a"b\\c\nd' }, value: 0 }],
    },
  ])
  expect(text).toBe('# HELP a one⟨U+000A⟩two \\\\ "three"\n# TYPE a gauge\na{type="a\\"b\\\\c⟨U+000A⟩d"} 0\n')
})
