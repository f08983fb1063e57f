import { offeredTypeName } from '@/lib/domain/pgpu/offered-type-name'
import { sh } from '@/lib/util/encode/shell'
import type { HostDraft } from './preview'
import { removeMdevStep, removeMdevTask } from './remove-mdev-step'
import type { HostStep } from './tasks'

/**
 * Every mdev of another type on the targets goes with its definition: spares, orphans, those that would return, and those of
 * the servers that leave, since Nova never deletes one (nova/virt/libvirt/driver.py _allocate_mdevs). One left over would
 * lock its pGPU on the old size.
 */
export const leftoverSteps = ({ joined, targets }: HostDraft): HostStep[] =>
  targets.flatMap(({ entry: { pgpu, functions }, to }) =>
    (joined.host.inventory.mdevs ?? [])
      .filter(({ parent }) => functions.includes(parent))
      .flatMap((mdev): HostStep[] => {
        const typeId = mdev.typeId ?? mdev.definition?.typeId
        if (typeId === to.typeId) return []
        const typeName = offeredTypeName(pgpu, typeId)
        const task = removeMdevTask(joined, { mdev, pgpuAddress: pgpu.address, typeName })
        if (task === null) return []
        const forGood = { ...task, isForGood: true }
        return [
          {
            ...removeMdevStep(joined, forGood),
            sees: `${mdev.uuid} is of ${forGood.typeName} (${forGood.typeId}) on ${mdev.parent}${mdev.definition === null ? '' : ', and defined'}. Nova never deletes an mdev, so it remains after its server has left.`,
            undo: 'None: the mdev was unattached, and Nova creates mdevs when servers need them.',
            undoCommand: sh`:`,
          },
        ]
      }),
  )
