export const minS = (floor: string | number, value1: string | number) => `${floor} min ${value1} s`
export const hMin = (floor: string | number, floor2: string | number) => `${floor} h ${floor2} min`
