/** Gives equal texts one small number, so that 80,000 rows are integers. The numbers are this process's own. */
export type Dictionary<Value> = {
  idOf(key: string, make: () => Value): number
  valueAt(id: number): Value
  size(): number
}

export const createDictionary = <Value>(): Dictionary<Value> => {
  const ids = new Map<string, number>()
  const values: Value[] = []
  return {
    idOf: (key, make) => {
      const known = ids.get(key)
      if (known !== undefined) return known
      values.push(make())
      ids.set(key, values.length - 1)
      return values.length - 1
    },
    valueAt: (id) => {
      const value = values[id]
      if (value === undefined) throw new RangeError(`no dictionary entry ${id}`)
      return value
    },
    size: () => values.length,
  }
}
