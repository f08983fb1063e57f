import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inventoryDigest } from './digest'
import type { Inventory } from './inventory'
import { digestSchema } from './primitives'

const inventory: Inventory = {
  host: {
    name: 'gpu01',
    osName: null,
    kernel: '6.8.0',
    libvirtVersion: null,
    qemuVersion: null,
    nvidiaDriverVersion: null,
    numaNodes: [{ id: 0, cpus: '0-63', memoryMib: 515_000 }],
  },
  vgpuTypes: [],
  gpus: [],
  mdevs: [],
  guests: [],
  novaConfig: null,
  nvidiaSmi: null,
  problems: [],
}

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

test('is the SHA-256 of the JSON with sorted keys', () => {
  const canonical =
    '{"gpus":[],"guests":[],"host":{"kernel":"6.8.0","libvirtVersion":null,"name":"gpu01",' +
    '"numaNodes":[{"cpus":"0-63","id":0,"memoryMib":515000}],"nvidiaDriverVersion":null,"osName":null,"qemuVersion":null},' +
    '"mdevs":[],"novaConfig":null,"nvidiaSmi":null,"problems":[],"vgpuTypes":[]}'
  const digest = inventoryDigest(inventory)
  expect(digest).toBe(createHash('sha256').update(canonical).digest('base64url'))
  expect(digestSchema.parse(digest)).toBe(digest)
})

test('the order of keys does not count', () => {
  expect(inventoryDigest(reversed(inventory) as Inventory)).toBe(inventoryDigest(inventory))
})

test('any changed fact gives another digest, and so does null for empty', () => {
  const digests = [
    inventory,
    { ...inventory, mdevs: null },
    { ...inventory, host: { ...inventory.host, kernel: '6.8.1' } },
    { ...inventory, host: { ...inventory.host, numaNodes: null } },
  ].map(inventoryDigest)
  expect(new Set(digests).size).toBe(4)
})
