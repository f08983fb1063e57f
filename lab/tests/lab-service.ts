import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Repair } from './break'
import { labFile } from './lab-cloud'

type Service = 'keystone' | 'nova'

const CONFIG: Readonly<Record<Service, string>> = {
  keystone: labFile('etc/keystone/keystone.conf'),
  nova: labFile('etc/nova/nova.conf'),
}

/** Of Nova its API, conductor and scheduler, which read one file. */
const restart = (service: Service) =>
  execFileSync('bash', ['lab/restart-service.sh', service], { stdio: 'pipe' })

/** Changes the configuration of a service as an operator would, and restarts it; the repair puts both back. */
export const reconfigure = (service: Service, change: (text: string) => string): Repair => {
  const before = readFileSync(CONFIG[service], 'utf8')
  const write = (text: string) => {
    writeFileSync(CONFIG[service], text)
    restart(service)
  }
  write(change(before))
  return () => write(before)
}
