import { gunzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { samplesSchema } from '@/lib/schemas/agent/samples'
import { makeTemporaryDirectory } from '@/simulator/testing/temporary-directory'
import { openSampleBox, type SampleBatch } from './sample-box'
import { createSampler, type UsageSample } from './sampler'

let directory: string
beforeEach(async () => {
  directory = await makeTemporaryDirectory('samples')
})
const log = { info: () => undefined, warn: () => undefined }
const BEGIN = Date.parse('2026-11-21T10:00:05Z')
const at = (minute: number): Date => new Date(BEGIN + minute * 60_000)
const sample = (minute: number, vgpu: number | null = null): UsageSample => ({
  at: at(minute),
  gpus: [
    {
      address: '0000:c1:00.0',
      totalMib: 46_068,
      utilization: minute,
      usedMib: 100,
      vgpus:
        vgpu === null
          ? []
          : [{ vgpu: 'mdev', guestUuid: null, totalMib: 3072, utilization: vgpu, usedMib: 10 }],
    },
  ],
})
const decoded = (batch: SampleBatch | null) =>
  samplesSchema.parse(JSON.parse(gunzipSync(batch?.body ?? Buffer.alloc(0)).toString()))

test('five minutes go together, what is missing in one of them is unknown', async () => {
  const box = await openSampleBox({ directory, log })
  for (const minute of [0, 1, 2, 3]) await box.add(sample(minute, minute === 2 ? 7 : null))
  expect(await box.due(300)).toBeNull()
  await box.add(sample(4))
  const batch = await box.due(300)
  expect(decoded(batch)).toMatchObject({
    begin: '2026-11-21T10:00:05.000Z',
    at: [0, 60, 120, 180, 240],
    gpus: [{ utilisation: [0, 1, 2, 3, 4], vgpus: [{ utilisation: [null, null, 7, null, null] }] }],
  })
  await box.delivered(batch?.name ?? '')
  expect(await box.due(300)).toBeNull()
})

test('what was not delivered is there after a restart, the oldest first', async () => {
  const before = await openSampleBox({ directory, log })
  for (const minute of [0, 1, 2, 3, 4]) await before.add(sample(minute))
  await before.due(300)
  await before.add(sample(5))
  const box = await openSampleBox({ directory, log })
  const first = await box.due(300)
  expect(decoded(first).at).toHaveLength(5)
  expect(await box.due(300)).toEqual(first)
  await box.delivered(first?.name ?? '')
  expect(decoded(await box.due(300)).at).toHaveLength(1)
  await box.clear()
  expect(await box.due(300)).toBeNull()
})

test('a clock that is set back begins another batch', async () => {
  const box = await openSampleBox({ directory, log })
  await box.add(sample(100))
  await box.add(sample(3))
  expect(decoded(await box.due(3600)).at).toEqual([0])
})

test('one sample a minute, and none of an output that was seen before', () => {
  const sampler = createSampler()
  const texts = (percent: number) => ({
    gpuText: `GPU 00000000:C1:00.0\n    Utilization\n        Gpu : ${percent} %\n`,
    vgpuText: null,
  })
  expect(sampler.take(texts(1), at(0))?.gpus).toHaveLength(1)
  expect(sampler.take(texts(1), at(1))).toBeNull()
  expect(sampler.take(texts(2), new Date(BEGIN + 100))).toBeNull()
  expect(sampler.take(texts(3), at(1))).toMatchObject({ at: at(1), gpus: [{ utilization: 3 }] })
})
