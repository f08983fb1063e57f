import { expect, test } from 'vitest'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import { L40S, l40sCloud } from '@/lib/domain/testing/l40s-cloud'
import { wantedTypes } from './wanted-types'

test('without nvidia-smi a card can be planned for types larger than those that its driver lists now', () => {
  const pgpus = joinFleet(l40sCloud({ typed: 1 })).hosts.flatMap((joined) => joined.pgpus)
  const pgpu = pgpus.find((entry) => entry.pgpu.address === L40S)?.pgpu
  if (pgpu === undefined) throw new Error('the cloud has an L40S')
  expect(pgpu.supportedTypes?.map(({ shortName }) => shortName)).toEqual(['L40S-16Q'])
  const names = wantedTypes(pgpu).map(({ shortName }) => shortName)
  expect(names).toEqual(expect.arrayContaining(['L40S-1B', 'L40S-16Q', 'L40S-24Q', 'L40S-48Q']))
  expect(wantedTypes({ ...pgpu, framework: 'mdev' })).toEqual(pgpu.supportedTypes)
})
