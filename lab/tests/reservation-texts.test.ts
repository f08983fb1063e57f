import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type CpuOptions, isSameCpuOptions, readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import { CPU_DROP_IN, wantedCpuText } from '@/lib/domain/plans/reservation/cpu-texts'
import { novaConf } from '@/lib/domain/testing/build-inventory'
import { hostFile, labHosts } from './lab-cloud'
import { madeOf, openNovaReader } from './nova-reader'

const ask = openNovaReader()

const folder = hostFile(labHosts()[0] ?? '', 'fence')
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** How Nova reads these files, the drop-in read after the other. */
const readByNova = async (main: string, dropIn: string | null): Promise<CpuOptions> => {
  mkdirSync(path.join(folder, 'conf.d'), { recursive: true })
  const file = path.join(folder, 'nova.conf')
  writeFileSync(file, main)
  if (dropIn !== null) writeFileSync(path.join(folder, 'conf.d', CPU_DROP_IN), dropIn)
  return madeOf(
    await ask('cpu', ['--config-file', file, '--config-dir', path.join(folder, 'conf.d')]),
  ) as CpuOptions
}

const OLD = '[DEFAULT]\nvcpu_pin_set = 0-22\nreserved_host_memory_mb = 4096\nreserved_host_cpus = 2\n'
const WANTED: CpuOptions = {
  shared: '0-20',
  dedicated: '21-22',
  pinSet: null,
  reservedCpus: null,
  reservedMemoryMib: 8192,
}

it('reads the old options as the console does', async () => {
  const config = novaConf(OLD.replace('reserved_host_cpus = 2\n', ''))
  const byNova = await readByNova(OLD.replace('reserved_host_cpus = 2\n', ''), null)
  expect(isSameCpuOptions(byNova, readCpuOptions(config))).toBe(true)
})

it('takes the console’s file, which takes the old options back by empty values', async () => {
  const byNova = await readByNova(OLD, wantedCpuText(novaConf(OLD), WANTED))
  expect(isSameCpuOptions(byNova, WANTED)).toBe(true)
})

it('refuses what the console refuses: a CPU in both sets, the old option with a dedicated set', async () => {
  await expect(
    readByNova('[compute]\ncpu_shared_set = 0-21\ncpu_dedicated_set = 21-22\n', null),
  ).rejects.toThrow()
  await expect(readByNova(OLD, '[compute]\ncpu_dedicated_set = 21-22\n')).rejects.toThrow()
})
