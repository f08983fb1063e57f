import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import { type FleetDetector, makeFinding } from './detector'
import { flavorSaid, flavorSubject } from './flavor-view'

/** An extra spec that Nova drops with a line in its log, e.g. Skyline's `resources:VGPU = vgpu:1`. */
export const flavorValueIgnored: FleetDetector = {
  code: 'flavor-value-ignored',
  title: 'Nova ignores an extra spec of a flavor',
  needs: ['flavors'],
  detect: (fleet) =>
    gpuFlavors(fleet).flatMap((view) =>
      view.request.ignored.map(({ key, value, because }) =>
        makeFinding({
          code: 'flavor-value-ignored',
          severity: 'error',
          subject: flavorSubject(view),
          part: key,
          sentence: `Nova ignores ${key}=${value} of ${view.flavor.name}: ${because}`,
          consequence: 'Servers of this flavor start without what it means to ask for, and without an error.',
          nextStep: `Write a value that Nova reads: ${because}.`,
          command: sh`openstack flavor set ${shellOption(sh`--property`, `${key}=${key.startsWith('trait') ? 'required' : '1'}`)} ${shellOperands([view.flavor.id])}`,
          blame: 'nova',
          evidence: [flavorSaid(fleet, view)],
        }),
      ),
    ),
}
