import { parseTypeName } from './type-name'

const plain = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/**
 * Of the names of one type id, the one for a pGPU's model: the only name, else that which begins with the model's GPU.
 * Null if there is none or it is ambiguous.
 */
export const nameForModel = <Named extends { shortName: string }>(
  names: readonly Named[],
  model: string,
): Named | null => {
  const [first, ...others] = names
  if (first === undefined) return null
  if (others.every((other) => other.shortName === first.shortName)) return first
  const gpuOf = ({ shortName }: Named): string => plain(parseTypeName(shortName)?.gpu ?? '')
  const ofModel = names.filter((name) => gpuOf(name) !== '' && plain(model).includes(gpuOf(name)))
  const longest = Math.max(...ofModel.map((name) => gpuOf(name).length))
  const best = ofModel.filter((name) => gpuOf(name).length === longest)
  return best.every((name) => name.shortName === best[0]?.shortName) ? (best[0] ?? null) : null
}
