import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostFile } from './lab-cloud'
import { waitUntil } from './operator'

/**
 * Gives a host other hardware, as `host.json` has it, and waits until its tree has followed and nova-compute's next start
 * would see it: the watcher writes hardware.json last.
 */
export const giveHardware = async (host: string, text: string): Promise<void> => {
  const [file, hardware] = [hostFile(host, 'host.json'), hostFile(host, 'hardware.json')]
  if (readFileSync(file, 'utf8') === text) return
  const writtenAt = () => statSync(hardware, { bigint: true }).mtimeNs
  const before = writtenAt()
  writeFileSync(file, text)
  await waitUntil(`${host} with the other hardware`, async () => (writtenAt() === before ? null : true))
}
