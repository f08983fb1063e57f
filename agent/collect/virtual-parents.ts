import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import type { HostFiles } from './host-files'
import type { MdevTypeReader } from './mdev-types'
import type { ProblemLog } from './problem-log'

const BUS_FOLDER = '/sys/class/mdev_bus'

/** `0000:41:00.4` and longer domains; `0.0.1a2b` is a channel device of s390. Those are no virtual parents. */
const HARDWARE_NAME = /^([0-9a-f]{4,}:[0-9a-f]{2}:|[0-9a-f]+\.[0-9a-f]+\.)/i

/** mdev parents that are no PCI device, such as the kernel's sample driver mtty. */
export const listVirtualParents = ({
  files,
  problems,
  mdevTypes,
}: {
  files: HostFiles
  problems: ProblemLog
  mdevTypes: MdevTypeReader
}): GpuDevice[] =>
  (files.names(BUS_FOLDER) ?? [])
    .filter((name) => !HARDWARE_NAME.test(name))
    .flatMap((name): GpuDevice[] => {
      if (!/^[a-z0-9_-]{1,64}$/.test(name)) {
        const message = `${BUS_FOLDER} holds "${name}"; parents need lower-case letters, digits, dashes or underscores, so it was left out.`
        problems.add({ source: BUS_FOLDER, code: 'odd-name', message })
        return []
      }
      return [
        {
          address: name,
          classCode: null,
          vendorId: null,
          deviceId: null,
          subsystemVendorId: null,
          subsystemDeviceId: null,
          modelName: null,
          driver: null,
          numaNode: null,
          iommuGroup: null,
          iommuGroupMembers: [],
          sriov: null,
          virtualFunctions: [],
          mdevTypes: mdevTypes.typesOf(`${BUS_FOLDER}/${name}`, name),
          vendorVfio: null,
        },
      ]
    })
