import { expect, test } from 'vitest'
import { buildFlavor } from '@/lib/domain/testing/build-cloud'
import { uuidOf } from '@/lib/domain/testing/build-inventory'
import { ALLOCATIONS, FLAVORS, leaveOutMalformed } from './leave-out-malformed'

const allocation = (consumerUuid: string, resource = 'VGPU') => ({
  consumerUuid,
  providerUuid: uuidOf(1),
  resources: { [resource]: 1 },
})

test('a malformed item is left out and noted, and the others stay', () => {
  const notes: string[] = []
  const good = [allocation(uuidOf(2)), allocation('7595B2545DF547F4A9110FD58CE9B659')]
  const bad = [allocation('x\nEND'), allocation(uuidOf(3), 'VGPU; id')]
  expect(leaveOutMalformed([...bad, ...good], ALLOCATIONS, notes)).toEqual(good)
  expect(notes).toEqual([
    '2 allocations of Placement are left out: "x\\u{a}END" must be an id of letters, digits, dots, dashes and underscores.',
  ])
})

test('a flavor may have any name and any values, and its id and keys are Nova’s', () => {
  const notes: string[] = []
  const named = buildFlavor({ id: '42', name: '$(id) `x` 👩‍💻', extraSpecs: { 'hw:x': '"; id' } })
  const odd = buildFlavor({ id: '43', name: 'x', extraSpecs: { "hw:'x": '1' } })
  expect(leaveOutMalformed([named, odd], FLAVORS, notes)).toEqual([named])
  expect(notes).toEqual([
    expect.stringMatching(/^1 flavor of Nova is left out: "hw:'x" must have letters, digits, colons/),
  ])
})

test('without anything malformed there is no note', () => {
  const notes: string[] = []
  leaveOutMalformed([allocation(uuidOf(2))], ALLOCATIONS, notes)
  expect(notes).toEqual([])
})
