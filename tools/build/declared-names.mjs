/** The names that a pattern of a syntax tree declares: of a variable, a parameter, a caught error. */

/** @param pattern undefined or null for none. @returns the names that it declares. */
export function declared(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => declared(property.value ?? property.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap(declared);
    case "AssignmentPattern":
      return declared(pattern.left);
    case "RestElement":
      return declared(pattern.argument);
    case "TSParameterProperty":
      return declared(pattern.parameter);
    default:
      return [];
  }
}
