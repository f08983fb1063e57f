import fc from 'fast-check'
import { a100SlidesHost, migHost, t4SeedHost, vendorVfioHost } from '@/lib/domain/testing/fixtures'
import { randomHost } from '@/lib/domain/testing/random-host'

const fixture = fc.constantFrom(
  ...[t4SeedHost, a100SlidesHost, vendorVfioHost, migHost].map((make) => make()),
)
const anyHost = fc.oneof(
  fixture,
  randomHost.map(({ inventory }) => inventory),
)

/** A host and what it turns into: other guests and mdevs, entries gone, doubled or from elsewhere. */
export const hostStory = fc
  .array(fc.tuple(anyHost, fc.nat(6), fc.nat(6), fc.boolean()), { minLength: 2, maxLength: 6 })
  .map((steps) => {
    let last = steps[0]?.[0] ?? t4SeedHost()
    return steps.map(([other, dropped, doubled, isSwitch]) => {
      const guests = (isSwitch ? other : last).guests
      last = {
        ...last,
        guests: guests?.filter((_, index) => index !== dropped) ?? null,
        mdevs:
          last.mdevs?.flatMap((mdev, index) =>
            index === doubled ? [mdev, ...(other.mdevs ?? []).slice(0, 2)] : [mdev],
          ) ?? null,
        problems: isSwitch ? other.problems : last.problems,
      }
      return last
    })
  })
