import { describe, expect, test } from 'vitest'
import { keepLines, readKeep, writeKeep } from './keep-params'

const FLAVORS = [
  { id: 'a', name: 'g1', needs: { VCPU: 2, PCPU: 0, MEMORY_MB: 4096, DISK_GB: 40 } },
  { id: 'b', name: 'g2', needs: { VCPU: 0, PCPU: 4, MEMORY_MB: 8192, DISK_GB: 0 } },
]

describe('the calculator’s address', () => {
  test('reads what it writes, with any characters in an id', () => {
    const wanted = [
      { id: 'a', count: 2 },
      { id: 'x,y:z', count: 1 },
    ]
    expect(readKeep(writeKeep(wanted))).toEqual(wanted)
  })

  test('leaves out what is no number of servers', () => {
    expect(readKeep('a:0,b:-1,c:x,:3,d:2')).toEqual([{ id: 'd', count: 2 }])
  })
})

test('sums the reservation, and rounds whole servers up per host', () => {
  const lines = keepLines(
    {
      flavors: FLAVORS,
      selection: { hosts: 2, host: null, free: { VCPU: 0, PCPU: 0, MEMORY_MB: 3000, DISK_GB: 0 } },
    },
    [
      { id: 'a', count: 3 },
      { id: 'b', count: 1 },
    ],
  )
  expect(lines).toEqual([
    { name: 'VCPU', needed: 6, free: 0, perHost: 4 },
    { name: 'PCPU', needed: 4, free: 0, perHost: 4 },
    { name: 'MEMORY_MB', needed: 20_480, free: 3000, perHost: 16_384 },
    { name: 'DISK_GB', needed: 120, free: 0, perHost: 80 },
  ])
})

test('an address that was cut inside of a sign leaves that flavor out', () => {
  expect(readKeep('a%2:1,b:2,%:3')).toEqual([{ id: 'b', count: 2 }])
})
