/** The number of mistakes that are counted. One more ends the reading, because a start must not take long. */
export const mostMistakes = 250;
