import type { CommandSettings } from '@/agent/execute/command-settings'
import type { CommandName } from '@/lib/schemas/agent/command'

/** What some hosts' agent.toml lets the console do; the others allow nothing, and their changes are done by hand. */
const ALLOWED: Readonly<Record<string, readonly CommandName[]>> = {
  'cmp-r2-05': [
    'remove-mdev',
    'create-mdev',
    'write-nova-config',
    'restart-nova-compute',
    'bind-pci-driver',
    'write-provider-config',
  ],
  'cmp-r2-07': ['remove-mdev', 'create-mdev'],
  'cmp-r6-01': [
    'set-vfio-type',
    'write-nova-config',
    'restart-nova-compute',
    'run-sriov-manage',
    'bind-pci-driver',
  ],
  'cmp-r7-06': ['write-nova-config', 'restart-nova-compute'],
}

/** `[commands]` of a host of the demo. Its nova-compute is restarted by the tree's own script. */
export const allowedCommands = (hostName: string): CommandSettings => ({
  allow: ALLOWED[hostName] ?? [],
  novaConfigFolder: '/etc/nova/nova.conf.d',
  restartNovaCompute: ['/.sliceboard/restart-nova-compute'],
  sriovManage: ['/usr/lib/nvidia/sriov-manage'],
})
