import { gpuInstancesOf, profileList } from '@/lib/domain/pgpu/gpu-instances'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import { type CardDetector, type HostDetector, type HostParts, NOTHING, onEachCard } from './detector'

/** Whether nova.conf means to slice cards by mdev or by VFs: without it, VFs that are off may well be intended. */
const wantsVfs = (host: HostParts, card: Card): boolean => {
  const bus = card.facts.gpu.address.slice(0, 8)
  const types = host.nova?.mdev.types ?? []
  return types.some(
    (type) =>
      type.deviceAddresses.length === 0 ||
      type.deviceAddresses.some((address) => address.toLowerCase().startsWith(bus)),
  )
}

/** `sriov-manage -e` rebinds the card, which removes its GPU instances: they are created after it. */
const migAdvice = ({ facts: { gpu, smi } }: Card): string => {
  const instances = gpuInstancesOf(smi)
  const order = 'Create GPU instances after the VFs and before the vGPU types, at boot too.'
  if (instances.length === 0) return smi?.migMode === 'enabled' ? ` ${order}` : ''
  const create = sh`nvidia-smi mig -i ${shellWord(gpu.address)} -cgi ${shellArguments([profileList(instances)])} -C`
  const count = formatNoun(instances.length, 'GPU instance')
  return ` Warning: sriov-manage removes the ${count} that the card currently has, with everything that runs on them. Recreate them afterwards with ${create}. ${order}`
}

/** An SR-IOV card on NVIDIA's driver whose VFs are off offers no vGPU types; sriov-manage does not last over a reboot. */
const detect: CardDetector = (card, host) => {
  const {
    facts: { gpu },
    pgpu,
  } = card
  if (pgpu.framework !== 'none' || gpu.vendorId !== '10de' || gpu.driver !== 'nvidia') return NOTHING
  if ((gpu.sriov?.totalVfs ?? 0) === 0 || gpu.sriov?.enabledVfs !== 0) return NOTHING
  return [
    {
      code: 'vfs-not-enabled',
      severity: wantsVfs(host, card) ? 'warning' : 'info',
      sentence: `the ${gpu.sriov.totalVfs} virtual functions are off, so no vGPU can be created`,
      detail: `Run /usr/lib/nvidia/sriov-manage -e ${shellWord(pgpu.address)} while nothing polls the GPU (nvidia-smi, DCGM), and run it at every boot with a systemd unit: the setting does not survive a reboot.${migAdvice(card)}`,
      pgpuAddress: pgpu.address,
    },
  ]
}

export const vfsNotEnabled: HostDetector = {
  findings: {
    'vfs-not-enabled': {
      title: 'Virtual functions are off',
      severities: ['warning', 'info'],
      detection: "sysfs: an SR-IOV card with NVIDIA's driver has no VFs enabled.",
      consequence: 'No vGPU can be created on the card.',
      nextStep:
        'Run sriov-manage -e for it while nothing polls the GPU, then create its GPU instances if it uses MIG; both at every boot.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
